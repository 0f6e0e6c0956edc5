/* Reading text files by lines, and tables by their columns.
 * SPDX-License-Identifier: MIT
 */
#include "base/lines.h"

#include "base/alloc.h"
#include "base/source.h"

#include <stdbool.h>
#include <string.h>

/* ---- the text -------------------------------------------------------------------------------- */

/* Text in UTF-8, without the mark that some editors put first. */
static cobloc_status check_text(const char *path, char *text, size_t size, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_CHECK(strncmp(text, "\xFF\xFE", 2) != 0 && strncmp(text, "\xFE\xFF", 2) != 0,
              COBLOC_BAD_DATA, "%s: is text in UTF-16, expected UTF-8", path);
    COB_CHECK(strlen(text) == size, COBLOC_BAD_DATA, "%s: is not a text file: it holds a zero byte",
              path);
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
        memmove(text, text + 3, size - 2);
done:
    return status;
}

/* Cuts the line at *at off the text, without what is blank at its end. */
static char *next_line(char **at)
{
    char *line = *at, *stop = line + strcspn(line, "\n");
    *at = stop + (*stop == '\n');
    while (stop > line && strchr("\r ", stop[-1]))
        stop--;
    *stop = '\0';
    return line;
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct layout {
    char separator;
    int name, label; /* which fields; -1: none */
    bool own;        /* written by cobloc: tabs, line ends and backslashes in names are escaped */
} layout;

/* The place of a column in a header, or -1. */
static int find_column(const char *header, char separator, const char *wanted)
{
    const char ends[] = {separator, '\r', '\n', '\0'};
    size_t length = strlen(wanted);
    for (int column = 0;; column++) {
        size_t field = strcspn(header, ends);
        bool quoted = field >= 2 && header[0] == '"' && header[field - 1] == '"';
        if (field - 2 * quoted == length && strncmp(header + quoted, wanted, length) == 0)
            return column;
        if (header[field] != separator)
            return -1;
        header += field + 1;
    }
}

/* What the first line of a text says of it; a header has at least two fields. */
static cobloc_status find_layout(const char *path, const char *text, layout *l, cobloc_error *err)
{
    static const char *const titles[] = {"cluster", "label", "class"};
    size_t header = strcspn(text, "\n");
    *l = (layout){.separator = memchr(text, '\t', header) ? '\t' : ',', .name = -1, .label = -1};
    if (!memchr(text, l->separator, header))
        return COBLOC_OK;
    l->name = find_column(text, l->separator, "name");
    for (size_t t = 0; l->label < 0 && t < sizeof titles / sizeof *titles; t++)
        l->label = find_column(text, l->separator, titles[t]);
    l->own = strncmp(text, "name\tcluster", 12) == 0;
    if (l->name < 0 || l->label >= 0)
        return COBLOC_OK;
    return cob_fail(err, COBLOC_BAD_DATA,
                    "%s:1: the header has a 'name', but no 'cluster', 'label' or 'class'", path);
}

/* Cuts the field at *at off the line; *at becomes NULL after the last one. Quotes around a field
 * between commas are taken off. */
static char *next_field(char **at, char separator)
{
    char *field = *at, *to = field, *from = field;
    bool quoted = separator == ',' && *from == '"';
    from += quoted;
    while (*from && (quoted || *from != separator)) {
        if (quoted && *from == '"' && *++from != '"')
            quoted = false;
        else
            *to++ = *from++;
    }
    *at = *from ? from + 1 : NULL;
    *to = '\0';
    return field;
}

static void unescape(char *text)
{
    char *to = text;
    for (; *text; text++) {
        const char *escaped = *text == '\\' && text[1] ? strchr("tnr\\", text[1]) : NULL;
        *to++ = escaped ? "\t\n\r\\"[escaped - "tnr\\"] : *text;
        text += escaped != NULL;
    }
    *to = '\0';
}

/* Takes name and label of the next line from its fields. */
static cobloc_status take_fields(const char *path, int64_t number, char *line, const layout *l,
                                 cob_lines *lines, cobloc_error *err)
{
    int last = l->name > l->label ? l->name : l->label;
    for (int field = 0; field <= last; field++) {
        if (!line)
            return cob_fail(err, COBLOC_BAD_DATA, "%s:%lld: has %d field%s, expected %d or more",
                            path, (long long)number, field, field == 1 ? "" : "s", last + 1);
        char *text = next_field(&line, l->separator);
        if (field == l->name && l->own)
            unescape(text);
        if (field == l->name)
            lines->name[lines->count] = text;
        else if (field == l->label)
            lines->line[lines->count] = text;
    }
    return COBLOC_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static cobloc_status room_for(cob_lines *lines, bool named, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    size_t room = 1;
    for (const char *p = lines->text; *p; p++)
        room += *p == '\n';
    COB_NEW(lines->line, room);
    COB_NEW(lines->number, room);
    if (named)
        COB_NEW(lines->name, room);
done:
    return status;
}

static cobloc_status cut_lines(const char *path, cob_lines *lines, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    layout l;
    char *at = lines->text;
    COB_TRY(find_layout(path, lines->text, &l, err));
    COB_TRY(room_for(lines, l.name >= 0, err));
    bool table = l.label >= 0;
    for (int64_t number = 1; *at; number++) {
        char *line = next_line(&at);
        if (table && (number == 1 || !*line))
            continue;
        if (table)
            COB_TRY(take_fields(path, number, line, &l, lines, err));
        else
            lines->line[lines->count] = line + strspn(line, " ");
        lines->number[lines->count++] = number;
    }
    for (; !table && lines->count > 0 && !*lines->line[lines->count - 1]; lines->count--)
        lines->blank++;
done:
    return status;
}

cobloc_status cob_lines_read(const char *path, cob_lines *lines, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_source *source = NULL;
    size_t size;
    COB_TRY(cob_source_open(path, &source, err));
    COB_TRY(cob_source_read_all(source, &lines->text, &size, err));
    COB_TRY(check_text(path, lines->text, size, err));
    COB_TRY(cut_lines(path, lines, err));
done:
    cob_source_close(source);
    return status;
}

void cob_lines_free(cob_lines *lines)
{
    cob_free(lines->line);
    cob_free(lines->name);
    cob_free(lines->number);
    cob_free(lines->text);
    *lines = (cob_lines){0};
}
