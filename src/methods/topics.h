/* Collapsed Gibbs sampling of topics (Griffiths and Steyvers 2004): every token of a document gets
 * a topic, drawn given the topics of all others.
 *
 * The probability of topic t for a token with word w in document d,
 *
 *     (alpha + n_td) (beta + n_wt) / (beta V + n_t),
 *
 * is a sum of three parts: alpha beta / (...), the same for all; n_td beta / (...), for the topics
 * of the document; (alpha + n_td) n_wt / (...), for the topics of the word. The last two have few
 * terms and nearly all the mass (Yao, Mimno and McCallum, KDD 2009). The draws are exact.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_METHODS_TOPICS_H
#define COB_METHODS_TOPICS_H

#include "base/error.h"
#include "base/random.h"

#include <stdbool.h>

/* The number of tokens of a word that have a topic. */
typedef struct cob_topic_count {
    int32_t topic, count;
} cob_topic_count;

typedef struct cob_topics {
    const cobloc_view *rows; /* documents; entries are numbers of tokens */
    int k;
    double alpha, beta;
    int64_t tokens;
    uint16_t *topics; /* of the tokens, entry after entry */
    int64_t *totals;  /* k: tokens of each topic */

    /* The topics of each word: `word_used` of them from `word_first` on, in no order. */
    cob_topic_count *word_counts;
    int64_t *word_first;
    int32_t *word_used;

    /* Of the current document. */
    int32_t *in_document; /* k: its tokens of each topic, */
    int *listed;          /* and the topics that have some */
    int listed_count;

    double *inverse;     /* k: 1 / (beta V + n_t) */
    double *coefficient; /* k: (alpha + n_td) / (beta V + n_t) */
    double common, ours; /* the masses of the first and the second part */
    double *masses;      /* scratch for the third */

    double log_likelihood; /* of the last sweep: each token, given all others */
} cob_topics;

/* Entries must be counts; `cols` is the same matrix by columns. No token has a topic yet. */
cobloc_status cob_topics_alloc(cob_topics *topics, const cobloc_view *rows, const cobloc_view *cols,
                               double alpha, double beta, int k, cobloc_error *err);
void cob_topics_free(cob_topics *topics);

/* The first topics: the label of the document for all its tokens. */
void cob_topics_begin(cob_topics *topics, const int32_t *labels);

/* Draws all topics again. Adds to `sums` (documents by k), if not NULL, the number of tokens of
 * each topic in each document. Returns whether it came to its end before the deadline, on
 * cob_clock; if not, some tokens keep their topics, and `sums` is as it was. */
bool cob_topics_sweep(cob_topics *topics, cob_stream stream, double deadline, double *sums);

/* Adds the number of tokens of each topic in each document, as they are. */
void cob_topics_count(cob_topics *topics, double *sums);

/* ---- parts, for tests ------------------------------------------------------------------------ */

/* Makes a document, whose tokens begin at `token`, the current one, and closes it. */
void cob_topics_open(cob_topics *topics, int64_t document, int64_t token);
void cob_topics_close(cob_topics *topics);

/* Removes one token of a word from a topic, or adds one. */
void cob_topics_take(cob_topics *topics, int32_t word, int topic);
void cob_topics_give(cob_topics *topics, int32_t word, int topic);

/* Draws a topic for a token of this word that has none; u is uniform in (0, 1). `mass` receives the
 * sum of the probabilities above. */
int cob_topics_draw(cob_topics *topics, int32_t word, double u, double *mass);

#endif
