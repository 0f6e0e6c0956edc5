/* LDA-C: one document per line, "N term:count term:count ...", where N is the number of pairs.
 *
 * Terms are counted from 0, counts are whole numbers, and an empty document is "0". The format does
 * not store the number of terms: it is the length of the list of terms beside the file
 * (NAME.terms.txt, or vocab.txt as in LDA-C's own data), or else the largest term plus one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "io/pairs.h"

#include <math.h>
#include <string.h>

#define LARGEST_COUNT 9007199254740992.0 /* 2^53 */

static int64_t count_row(const char **text, bool cut)
{
    int64_t promised;
    bool whole = true;
    if (!cob_scan_count(text, &promised) || !cob_pairs_gap(*text))
        return -1;
    int64_t count = cob_pairs_count(text, cut, &whole);
    return whole && (count == promised || (cut && count < promised)) ? count : -1;
}

static int recognise(const cob_head *head)
{
    /* LDA-C has no comments: a file that begins with one is svmlight. */
    return *head->text != '#' && cob_pairs_recognise(head, count_row);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct ldac_parse {
    const char *path;
    cob_builder builder;
} ldac_parse;

static cobloc_status parse_row(void *context, int64_t row, const char **text, cobloc_error *err)
{
    cob_lane *lane = context;
    cobloc_status status = COBLOC_OK;
    const char *p = *text;
    int64_t promised = 0, found = 0, term = 0;
    double count = 0;
    COB_CHECK(cob_scan_count(&p, &promised) && cob_pairs_gap(p), COBLOC_BAD_DATA,
              "found '%.*s', expected the number of pairs", cob_shown(*text), *text);
    for (p = cob_skip_blanks(p); !cob_pairs_end(p); p = cob_skip_blanks(p)) {
        COB_CHECK(cob_scan_pair(&p, &term, &count), COBLOC_BAD_DATA,
                  "found '%.*s', expected 'term:count'", cob_shown(p), p);
        COB_CHECK(!isfinite(count) || (count == floor(count) && count >= 0), COBLOC_BAD_DATA,
                  "the count of term %lld is %g, expected a whole number from 0 on",
                  (long long)term, count);
        COB_TRY(cob_lane_add(lane, row, term, count, err));
        found++;
    }
    COB_CHECK(found == promised, COBLOC_BAD_DATA,
              "holds %lld pairs, expected the %lld it begins with", (long long)found,
              (long long)promised);
    *text = p;
done:
    return status;
}

static cobloc_status parse_block(void *context, int lane, const cob_text_block *block,
                                 cobloc_error *err)
{
    ldac_parse *parse = context;
    return cob_parse_lines(block, parse->path, COB_NO_PAIRS, parse_row, &parse->builder.lanes[lane],
                           err);
}

/* The path of vocab.txt in the folder of `path`. */
static char *vocabulary_path(const char *path)
{
    static const char name[] = "vocab.txt";
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *made = cob_alloc(folder + sizeof name, 1);
    if (made) {
        memcpy(made, path, folder);
        memcpy(made + folder, name, sizeof name);
    }
    return made;
}

/* Reads the list of terms beside the file, if there is one. The generic vocab.txt is used only if
 * it is long enough; whether NAME.terms.txt fits is checked when it is attached. */
static cobloc_status read_terms(const char *path, int64_t needed, cob_names *terms,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    char *vocabulary = vocabulary_path(path);
    COB_CHECK(vocabulary, COBLOC_NO_MEMORY, "out of memory");
    COB_TRY(cob_sidecar_read(path, 1, ".terms.txt", -1, terms, err));
    if (terms->count == 0) {
        COB_TRY(cob_list_read(vocabulary, -1, terms, err));
        if (terms->count < needed)
            cob_names_free(terms);
    }
    COB_CHECK(terms->count >= needed || terms->count == 0, COBLOC_BAD_DATA,
              "%s: holds term %lld, but the list of terms beside it has only %lld lines", path,
              (long long)needed - 1, (long long)terms->count);
done:
    cob_free(vocabulary);
    return status;
}

static int64_t columns_needed(const cob_builder *builder)
{
    int64_t needed = 0;
    for (int t = 0; t < builder->lane_count; t++)
        if (builder->lanes[t].max_col >= needed)
            needed = builder->lanes[t].max_col + 1;
    return needed;
}

static cobloc_status finish(ldac_parse *parse, int64_t rows, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names terms = {0};
    int64_t cols = columns_needed(&parse->builder);
    COB_TRY(read_terms(parse->path, cols, &terms, err));
    if (terms.count > 0)
        cols = terms.count;
    COB_CHECK(cols > 0, COBLOC_BAD_DATA,
              "%s: holds no 'term:count' at all, so the number of terms is unknown", parse->path);
    COB_TRY(cob_builder_finish(&parse->builder, rows, cols, out, err));
    cob_names_move(&(*out)->col_names, &terms);
done:
    cob_names_free(&terms);
    return status;
}

static cobloc_status read(const cob_reading *reading, cobloc_matrix **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    ldac_parse parse = {.path = reading->path};
    cob_blocks blocks = cob_blocks_of(reading->source, reading->options);
    blocks.cut = cob_pairs_cut;
    COB_TRY(cob_builder_init(&parse.builder, -1, -1, 0, blocks.threads, COBLOC_MISSING_AUTO, err));
    COB_TRY(cob_blocks_run(&blocks, parse_block, &parse, err));
    COB_TRY(finish(&parse, blocks.first_record, out, err));
done:
    cob_blocks_free(&blocks);
    cob_builder_free(&parse.builder);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static cobloc_status check_writable(const cobloc_matrix *matrix, const char *path,
                                    cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const int64_t *offsets = matrix->by_col.offsets;
    bool last_empty = offsets[matrix->cols] == offsets[matrix->cols - 1];
    COB_CHECK(matrix->nnz > 0 && (!last_empty || matrix->col_names.count > 0), COBLOC_UNSUPPORTED,
              "%s: the last column is empty and the columns have no names, so LDA-C could not "
              "store their number; write .cbm or .mtx instead",
              path);
    for (int64_t e = 0; e < matrix->nnz && matrix->kind > COBLOC_U32; e++) {
        double value = cob_value_get(matrix->kind, matrix->by_row.values, e);
        COB_CHECK(value == floor(value) && value >= 0 && value <= LARGEST_COUNT, COBLOC_UNSUPPORTED,
                  "%s: the matrix holds the value %g, but LDA-C holds only counts; write .cbm or "
                  ".mtx instead",
                  path, value);
    }
done:
    return status;
}

static cobloc_status write(const cobloc_matrix *matrix, cob_file *file, const char *path,
                           cobloc_error *err)
{
    const cob_side *side = &matrix->by_row;
    cobloc_status status = check_writable(matrix, path, err);
    if (status != COBLOC_OK)
        return status;
    for (int64_t i = 0; i < matrix->rows; i++) {
        cob_file_integer(file, side->offsets[i + 1] - side->offsets[i]);
        for (int64_t e = side->offsets[i]; e < side->offsets[i + 1]; e++) {
            cob_file_char(file, ' ');
            cob_file_integer(file, side->indices[e]);
            cob_file_char(file, ':');
            cob_file_integer(file, (int64_t)cob_value_get(matrix->kind, side->values, e));
        }
        cob_file_char(file, '\n');
    }
    return COBLOC_OK;
}

const cob_format cob_format_ldac = {
    .name = "ldac",
    .title = "LDA-C",
    .extension = ".ldac",
    .carries = 0,
    .gzip = 1,
    .recognise = recognise,
    .read = read,
    .write = write,
};
