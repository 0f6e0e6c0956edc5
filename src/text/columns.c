/* The columns of a table of documents: which hold the text, names, labels and fields.
 * SPDX-License-Identifier: MIT
 */
#include "base/alloc.h"
#include "io/delimited.h"
#include "text/corpus.h"

#include <stdio.h>
#include <string.h>

static cobloc_status find_column(const char *path, const cob_names *header, const char *name,
                                 const char *fallback, int64_t *column, cobloc_error *err)
{
    char known[256] = "";
    const char *wanted = name ? name : fallback;
    *column = -1;
    if (!wanted)
        return COBLOC_OK;
    for (int64_t c = header->count - 1; c >= 0; c--)
        if (strcmp(cob_names_get(header, c), wanted) == 0)
            *column = c;
    if (*column >= 0)
        return COBLOC_OK;
    for (int64_t c = 0; c < header->count && c < 20; c++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%.40s", c ? ", " : "",
                 cob_names_get(header, c));
    return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s: there is no column '%.60s'; there are: %s", path,
                    wanted, known);
}

/* Notes the other columns that may be kept. */
static void keep_columns(const cob_names *header, const cobloc_text_options *options,
                         cob_columns *columns)
{
    for (int64_t c = 0; c < header->count && columns->field_count < COB_MOST_FIELDS; c++) {
        const char *name = cob_names_get(header, c);
        size_t length = strlen(name);
        if (c == columns->text || c == columns->name || length >= COB_FIELD_NAME ||
            !cob_field_is_wanted(options, name))
            continue;
        memcpy(columns->field_name[columns->field_count], name, length + 1);
        columns->field_at[columns->field_count++] = c;
    }
}

cobloc_status cob_columns_find(const char *path, const char *text, size_t size, char delimiter,
                               const cobloc_text_options *options, cob_columns *columns,
                               cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_names header = {0};
    cob_records records = cob_records_of(text, size, true, delimiter);
    cob_record record;
    cob_field field;
    cob_room room = {0};
    const char *plain;
    size_t length;
    COB_CHECK(cob_records_next(&records, &record), COBLOC_BAD_DATA,
              "%s: the file is empty, expected a header with the names of the columns", path);
    while (cob_record_next(&record, &field)) {
        COB_TRY(cob_field_plain(&field, &room, &plain, &length, err));
        const char *nul = length ? memchr(plain, '\0', length) : NULL;
        COB_TRY(cob_names_add(&header, plain, nul ? (size_t)(nul - plain) : length, err));
    }
    *columns = (cob_columns){.delimiter = delimiter, .count = header.count};
    COB_TRY(find_column(path, &header, options->field, "text", &columns->text, err));
    COB_TRY(find_column(path, &header, options->name_field, NULL, &columns->name, err));
    COB_TRY(find_column(path, &header, options->label_field, NULL, &columns->label, err));
    keep_columns(&header, options, columns);
done:
    cob_names_free(&header);
    cob_free(room.bytes);
    return status;
}
