/* Small text tables.
 * SPDX-License-Identifier: MIT
 */
#include "io/table.h"

#include "io/blocks.h"

#include <string.h>

typedef struct table {
    const char *path, *header;
    cob_line_fn take;
    void *context;
} table;

/* Shows "name\tcluster" as 'name', 'cluster'. */
static cobloc_status fail_header(const char *header, cobloc_error *err)
{
    int first = (int)strcspn(header, "\t");
    const char *rest = header[first] ? header + first + 1 : "";
    return cob_fail(err, COBLOC_BAD_DATA, "the header is not '%.*s', '%.*s', ...", first, header,
                    (int)strcspn(rest, "\t"), rest);
}

static cobloc_status take_block(void *context, int lane, const cob_text_block *block,
                                cobloc_error *err)
{
    table *t = context;
    int64_t line = block->first_line;
    (void)lane;
    for (const char *p = block->text, *end = p + block->size; p < end; line++) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        cobloc_status status = COBLOC_OK;
        stop = stop ? stop : end;
        if (line > 1)
            status = t->take(t->context, p, stop, err);
        else if (strncmp(p, t->header, strlen(t->header)) != 0)
            status = fail_header(t->header, err);
        if (status != COBLOC_OK)
            return cob_fail_line(err, status, t->path, line);
        p = stop + 1;
    }
    return COBLOC_OK;
}

cobloc_status cob_table_read(const char *path, const char *header, cob_line_fn take, void *context,
                             cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_source *source = NULL;
    cobloc_io_options options;
    table t = {path, header, take, context};
    cob_io_options_default(&options);
    options.threads = 1; /* keeps the lines in order */
    COB_TRY(cob_source_open(path, &source, err));
    cob_blocks blocks = cob_blocks_of(source, &options);
    COB_TRY(cob_blocks_run(&blocks, take_block, &t, err));
done:
    cob_source_close(source);
    return status;
}
