/* One target a way that text comes (TARGET, set by the build): mail, html, json (an array),
 * archive, encoding. Any bytes must end in a matrix whose excerpts can be shown, or in a sentence.
 * The last byte chooses options; a replay reads each file again with others.
 *
 * SPDX-License-Identifier: MIT
 */
#define _DEFAULT_SOURCE
#include "target.h"

#include <unistd.h>

static void choose(cobloc_text_options *o, int choice)
{
    static const char *const encodings[] = {NULL,     "utf-16",    "utf-32",      "latin1",
                                            "utf-8",  "shift_jis", "iso-2022-jp", "gb18030",
                                            "koi8-r", "utf-7"};
    cobloc_set_text(o, "clean", choice % 3 == 0 ? "auto" : "mail,html,urls,blobs", NULL);
    if (strcmp(TARGET, "mail") == 0)
        cobloc_set_int(o, "corpus", choice % 2 ? COBLOC_CORPUS_MBOX : COBLOC_CORPUS_FILES, NULL);
    else if (strcmp(TARGET, "html") == 0)
        cobloc_set_int(o, "corpus", COBLOC_CORPUS_FILES, NULL);
    else if (strcmp(TARGET, "json") == 0)
        cobloc_set_int(o, "corpus", COBLOC_CORPUS_JSON, NULL);
    else if (strcmp(TARGET, "encoding") == 0)
        cobloc_set_text(o, "encoding", encodings[choice % 10], NULL);
}

static void read_text(const char *path, int choice)
{
    cobloc_text_options *o = NULL;
    cobloc_matrix *matrix = NULL;
    cobloc_error err = {COBLOC_OK, ""};
    char text[80];
    demand(cobloc_text_options_new(&o, &err) == COBLOC_OK, "options");
    choose(o, choice);
    if (choice % 32) /* to guess it would take longest */
        cobloc_set_text(o, "language", "none", NULL);
    cobloc_set_real(o, "min_df", 1, NULL);
    cobloc_set_real(o, "max_df", 1, NULL);
    cobloc_set_int(o, "threads", 1, NULL);
    cobloc_set_int(o, "excerpts", choice % 300, NULL);
    cobloc_status status = cobloc_text_read(path, o, &matrix, NULL, &err);
    demand_sentence(status, matrix, &err);
    for (int64_t i = 0; matrix && i < cobloc_matrix_rows(matrix) && i < 100; i++) {
        const char *term = cobloc_matrix_col_name(matrix, i % cobloc_matrix_cols(matrix));
        size_t length =
            cobloc_matrix_excerpt(matrix, i, choice % 2 ? term : NULL, text, sizeof text);
        demand(length < sizeof text && text[length] == '\0', "an excerpt");
    }
    cobloc_matrix_free(matrix);
    cobloc_text_options_free(o);
}

/* An archive is known by its name. */
static void read_archive(const input *given, int choice)
{
    char name[100];
    char *whole = realpath(given->path, NULL);
    snprintf(name, sizeof name, "%s/%s", given->scratch, choice % 2 ? "a.zip" : "a.tar.gz");
    demand(whole && symlink(whole, name) == 0, "a name of an archive");
    read_text(name, choice);
    unlink(name);
    free(whole);
}

void read_input(const input *given)
{
#ifdef REPLAY
    int ways = 2;
#else
    int ways = 1;
#endif
    int choice = last_byte(given);
    for (int i = 0; i < ways; i++)
        if (strcmp(TARGET, "archive") == 0)
            read_archive(given, choice + i);
        else
            read_text(given->path, choice + i);
}
