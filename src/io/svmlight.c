/* svmlight and libsvm: one row per line, "label index:value index:value ...".
 *
 * The label may be followed by "qid:n", which is ignored, and # starts a comment. Indices count
 * from 1, or from 0 if a 0 occurs anywhere. A label is a number or several separated by commas; a
 * line may also have none. The format does not store the number of columns, so our own files begin
 * with a comment that does: "# cobloc: R rows, C columns", with ", no labels" if the zeros written
 * as labels mean nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "io/pairs.h"

#include <math.h>
#include <string.h>

/* ---- the parts of a line --------------------------------------------------------------------- */

/* Reads numbers separated by commas and moves *p past them. Returns false, with *p unmoved, for
 * anything else. */
static bool scan_label(const char **p)
{
    const char *s = *p;
    double number;
    for (;; s++) {
        if (!cob_scan_number(&s, &number) || !isfinite(number))
            return false;
        if (*s != ',')
            break;
    }
    if (!cob_pairs_gap(s))
        return false;
    *p = s;
    return true;
}

/* Reads the label, which may be missing (*length is 0), and skips a query id. */
static bool scan_start(const char **p, size_t *length)
{
    const char *s = *p;
    int64_t number;
    double value;
    *length = 0;
    if (scan_label(&s)) {
        *length = (size_t)(s - *p);
    } else {
        const char *pair = s;
        if (!cob_scan_pair(&pair, &number, &value))
            return false;
    }
    const char *query = cob_skip_blanks(s);
    if (strncmp(query, "qid:", 4) == 0) {
        query += 4;
        if (cob_scan_count(&query, &number) && cob_pairs_gap(query))
            s = query;
    }
    *p = s;
    return true;
}

/* ---- our own first line ---------------------------------------------------------------------- */

#define OURS "# cobloc:"

typedef struct header {
    bool ours;
    bool labels;
    int64_t rows, cols;
} header;

static bool scan_words(const char **p, const char *words)
{
    size_t length = strlen(words);
    if (strncmp(*p, words, length) != 0)
        return false;
    *p += length;
    return true;
}

static bool scan_header(const char *p, header *h)
{
    bool good = scan_words(&p, OURS " ") && cob_scan_count(&p, &h->rows) &&
                scan_words(&p, " rows, ") && cob_scan_count(&p, &h->cols) &&
                scan_words(&p, " columns");
    h->labels = !scan_words(&p, ", no labels");
    return good && cob_at_line_end(cob_skip_blanks(p));
}

static cobloc_status read_header(cob_source *source, header *h, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char text[128];
    size_t got = 0;
    *h = (header){.labels = true};
    COB_TRY(cob_source_read(source, text, sizeof text - 1, &got, err));
    COB_TRY(cob_source_rewind(source, err));
    text[got] = '\0';
    h->ours = strncmp(text, OURS, strlen(OURS)) == 0;
    if (!h->ours)
        goto done;
    COB_CHECK(scan_header(text, h), COBLOC_BAD_DATA,
              "%s:1: the first line is not as cobloc writes it, expected '" OURS
              " R rows, C columns'",
              cob_source_path(source));
    status = cob_check_shape(h->rows, h->cols, err);
    if (status != COBLOC_OK)
        cob_fail_line(err, status, cob_source_path(source), 1);
done:
    return status;
}

static int64_t count_row(const char **text, bool cut)
{
    size_t length;
    bool whole = true;
    return scan_start(text, &length) ? cob_pairs_count(text, cut, &whole) : -1;
}

static int recognise(const cob_head *head)
{
    header h;
    return scan_header(head->text, &h) || cob_pairs_recognise(head, count_row);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The state of one thread; padded against false sharing. */
typedef struct lane_state {
    int64_t least_index;
    char apart[120];
} lane_state;

typedef struct svm_parse {
    const char *path;
    header header;
    cob_builder builder;
    lane_state *states;
    cob_name_lists labels;
} svm_parse;

typedef struct block_parse {
    svm_parse *parse;
    cob_lane *lane;
    lane_state *state;
    cob_names labels;
} block_parse;

static cobloc_status parse_row(void *context, int64_t row, const char **text, cobloc_error *err)
{
    block_parse *b = context;
    cobloc_status status = COBLOC_OK;
    const char *p = *text;
    size_t length;
    /* Without our header the base is only known at the end: columns are shifted then. */
    int64_t index = 0, base = b->parse->header.ours ? 1 : 0;
    double value = 0;
    COB_CHECK(scan_start(&p, &length), COBLOC_BAD_DATA, "the label is '%.*s', expected a number",
              cob_shown(p), p);
    if (b->parse->header.labels)
        COB_TRY(cob_names_add(&b->labels, *text, length, err));
    for (p = cob_skip_blanks(p); !cob_pairs_end(p); p = cob_skip_blanks(p)) {
        COB_CHECK(cob_scan_pair(&p, &index, &value), COBLOC_BAD_DATA,
                  "found '%.*s', expected 'index:value'", cob_shown(p), p);
        COB_TRY(cob_lane_add(b->lane, row, index - base, value, err));
        if (index < b->state->least_index)
            b->state->least_index = index;
    }
    *text = p;
done:
    return status;
}

static cobloc_status parse_block(void *context, int lane, const cob_text_block *block,
                                 cobloc_error *err)
{
    svm_parse *parse = context;
    block_parse b = {parse, &parse->builder.lanes[lane], &parse->states[lane], {0}};
    cobloc_status status = cob_parse_lines(block, parse->path, COB_NO_PAIRS, parse_row, &b, err);
    if (status == COBLOC_OK)
        status = cob_name_lists_keep(&parse->labels, block->sequence, &b.labels, err);
    cob_names_free(&b.labels);
    return status;
}

static cobloc_status finish(svm_parse *parse, int64_t rows, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const header *h = &parse->header;
    int64_t least = INT64_MAX;
    COB_CHECK(!h->ours || rows == h->rows, COBLOC_BAD_DATA,
              "holds %lld rows, expected the %lld of its first line", (long long)rows,
              (long long)h->rows);
    for (int t = 0; t < parse->builder.lane_count; t++)
        if (parse->states[t].least_index < least)
            least = parse->states[t].least_index;
    COB_CHECK(h->ours || least < INT64_MAX, COBLOC_BAD_DATA,
              "holds no 'index:value' at all, so the number of columns is unknown");
    if (!h->ours && least > 0)
        cob_builder_shift_columns(&parse->builder);
    COB_TRY(cob_builder_finish(&parse->builder, rows, h->ours ? h->cols : -1, out, err));
    COB_TRY(cob_name_lists_join(&parse->labels, &(*out)->row_labels, err));
    cob_names *labels = &(*out)->row_labels;
    if (labels->size == (size_t)labels->count) /* all are empty */
        cob_names_free(labels);
done:
    return status;
}

static cobloc_status read(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    svm_parse parse = {.path = reading->path};
    cob_blocks blocks = cob_blocks_of(reading->source, reading->options);
    header *h = &parse.header;
    COB_TRY(read_header(reading->source, h, err));
    blocks.cut = cob_pairs_cut;
    COB_TRY(cob_builder_init(&parse.builder, h->ours ? h->rows : -1, h->ours ? h->cols : -1,
                             h->ours, blocks.threads, reading->options->missing, err));
    COB_NEW_ZERO(parse.states, blocks.threads);
    for (int t = 0; t < blocks.threads; t++)
        parse.states[t].least_index = INT64_MAX;
    COB_TRY(cob_blocks_run(&blocks, parse_block, &parse, err));
    COB_TRY(finish(&parse, blocks.first_record, out, err));
done:
    cob_blocks_free(&blocks);
    cob_builder_free(&parse.builder);
    cob_name_lists_free(&parse.labels);
    cob_free(parse.states);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static cobloc_status check_labels(const cobloc_matrix *matrix, const char *path, cobloc_error *err)
{
    for (int64_t i = 0; i < matrix->row_labels.count; i++) {
        const char *label = cob_names_get(&matrix->row_labels, i), *p = label;
        if (!scan_label(&p) || *p)
            return cob_fail(
                err, COBLOC_UNSUPPORTED,
                "%s: the label of row %lld is '%.40s', but svmlight holds only numbers; "
                "write .cbm or .mtx instead",
                path, (long long)(i + 1), label);
    }
    return COBLOC_OK;
}

static cobloc_status write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                           cobloc_error *err)
{
    const cob_side *side = &matrix->by_row;
    cobloc_status status = check_labels(matrix, path, err);
    if (status != COBLOC_OK)
        return status;
    cob_file_print(file, OURS " %lld rows, %lld columns%s\n", (long long)matrix->rows,
                   (long long)matrix->cols, matrix->row_labels.count ? "" : ", no labels");
    for (int64_t i = 0; i < matrix->rows; i++) {
        const char *label = cob_names_get(&matrix->row_labels, i);
        cob_file_text(file, label ? label : "0");
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
            cob_file_char(file, ' ');
            cob_file_integer(file, side->indices[e] + 1);
            cob_file_char(file, ':');
            cob_file_number(file, cob_value_get(matrix->kind, side->values, e));
        }
        cob_file_char(file, '\n');
    }
    return COBLOC_OK;
}

const cob_format cob_format_svmlight = {
    .name = "svmlight",
    .title = "svmlight / libsvm",
    .extension = ".svm",
    .carries = COB_ROW_LABELS | COB_NAN,
    .gzip = 1,
    .recognise = recognise,
    .read = read,
    .write = write,
};
