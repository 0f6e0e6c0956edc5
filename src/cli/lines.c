/* Reading text files by lines, tables by their columns, and matching them by name.
 * SPDX-License-Identifier: MIT
 */
#include "labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text -------------------------------------------------------------------------------- */

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0, room = 0, got = 1;
    while (file && got > 0) {
        if (room - used < 65536) {
            room = room * 2 + 131072;
            char *grown = realloc(text, room + 1);
            if (!grown)
                break;
            text = grown;
        }
        got = fread(text + used, 1, room - used, file);
        used += got;
    }
    if (!file || ferror(file) || got > 0) {
        cli_complain("%s: %s", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    if (text)
        text[used] = '\0';
    *size = used;
    return text;
}

/* Text in UTF-8, without the mark that some editors put first. */
static bool check_text(const char *path, char *text, size_t size)
{
    if (strncmp(text, "\xFF\xFE", 2) == 0 || strncmp(text, "\xFE\xFF", 2) == 0) {
        cli_complain("%s: is text in UTF-16, expected UTF-8", path);
        return false;
    }
    if (strlen(text) != size) {
        cli_complain("%s: is not a text file: it holds a zero byte", path);
        return false;
    }
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
        memmove(text, text + 3, size - 2);
    return true;
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

/* What the first line of a text says of it; a header has at least two fields. False after a
 * complaint. */
static bool find_layout(const char *path, const char *text, layout *l)
{
    static const char *const titles[] = {"cluster", "label", "class"};
    size_t header = strcspn(text, "\n");
    *l = (layout){.separator = memchr(text, '\t', header) ? '\t' : ',', .name = -1, .label = -1};
    if (!memchr(text, l->separator, header))
        return true;
    l->name = find_column(text, l->separator, "name");
    for (size_t t = 0; l->label < 0 && t < sizeof titles / sizeof *titles; t++)
        l->label = find_column(text, l->separator, titles[t]);
    l->own = strncmp(text, "name\tcluster", 12) == 0;
    if (l->name < 0 || l->label >= 0)
        return true;
    cli_complain("%s:1: the header has a 'name', but no 'cluster', 'label' or 'class'", path);
    return false;
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
static bool take_fields(const char *path, int64_t number, char *line, const layout *l,
                        cli_lines *lines)
{
    int last = l->name > l->label ? l->name : l->label;
    for (int field = 0; field <= last; field++) {
        if (!line) {
            cli_complain("%s:%lld: has %d field%s, expected %d or more", path, (long long)number,
                         field, field == 1 ? "" : "s", last + 1);
            return false;
        }
        char *text = next_field(&line, l->separator);
        if (field == l->name && l->own)
            unescape(text);
        if (field == l->name)
            lines->name[lines->count] = text;
        else if (field == l->label)
            lines->line[lines->count] = text;
    }
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool room_for(cli_lines *lines, bool named)
{
    size_t room = 1;
    for (const char *p = lines->text; *p; p++)
        room += *p == '\n';
    lines->line = malloc(room * sizeof *lines->line);
    lines->number = malloc(room * sizeof *lines->number);
    lines->name = named ? malloc(room * sizeof *lines->name) : NULL;
    if (lines->line && lines->number && (lines->name || !named))
        return true;
    cli_complain("out of memory");
    return false;
}

static bool cut_lines(const char *path, cli_lines *lines)
{
    layout l;
    char *at = lines->text;
    if (!find_layout(path, lines->text, &l) || !room_for(lines, l.name >= 0))
        return false;
    bool table = l.label >= 0;
    for (int64_t number = 1; *at; number++) {
        char *line = next_line(&at);
        if (table && (number == 1 || !*line))
            continue;
        if (table && !take_fields(path, number, line, &l, lines))
            return false;
        if (!table)
            lines->line[lines->count] = line + strspn(line, " ");
        lines->number[lines->count++] = number;
    }
    for (; !table && lines->count > 0 && !*lines->line[lines->count - 1]; lines->count--)
        lines->blank++;
    return true;
}

bool cli_read_lines(const char *path, cli_lines *lines)
{
    size_t size;
    *lines = (cli_lines){.text = read_all(path, &size)};
    if (lines->text && check_text(path, lines->text, size) && cut_lines(path, lines))
        return true;
    cli_lines_free(lines);
    return false;
}

void cli_lines_free(cli_lines *lines)
{
    free(lines->line);
    free(lines->name);
    free(lines->number);
    free(lines->text);
    *lines = (cli_lines){0};
}

bool cli_lines_are(cli_lines *lines, int64_t count)
{
    if (count < lines->count || count > lines->count + lines->blank)
        return false;
    lines->blank -= count - lines->count;
    lines->count = count;
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct place {
    const char *name;
    int64_t at;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* The names in order, with their places; NULL after a complaint about one that stands twice. */
static place *sort_names(const char *path, const char *const *names, int64_t count)
{
    place *places = malloc((size_t)(count + 1) * sizeof *places);
    if (!places) {
        cli_complain("out of memory");
        return NULL;
    }
    for (int64_t i = 0; i < count; i++)
        places[i] = (place){names[i], i};
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int64_t i = 1; i < count; i++)
        if (strcmp(places[i].name, places[i - 1].name) == 0) {
            cli_complain(
                "%s: the name '%s' stands twice (names %lld and %lld), so that rows cannot "
                "be matched by it",
                path, places[i].name, (long long)places[i - 1].at + 1, (long long)places[i].at + 1);
            free(places);
            return NULL;
        }
    return places;
}

/* "'a', 'b', 'c' and others": the first few names that are missing somewhere. */
typedef struct missing {
    int64_t count;
    char list[200];
} missing;

static void note_missing(missing *m, const char *name)
{
    size_t used = strlen(m->list);
    if (m->count++ < 3)
        snprintf(m->list + used, sizeof m->list - used, "%s'%.50s'", used ? ", " : "", name);
    else if (m->count == 4)
        snprintf(m->list + used, sizeof m->list - used, " and others");
}

static void warn_missing(const missing *m, const char *from, const char *in)
{
    if (m->count > 0)
        cli_complain("%lld name%s of %s %s not in %s and left out: %s", (long long)m->count,
                     m->count == 1 ? "" : "s", from, m->count == 1 ? "is" : "are", in, m->list);
}

/* Walks both sorted lists; ordered[i] receives the line of the i-th wanted name. */
static int64_t merge_names(const place *own, int64_t own_count, const place *wanted, int64_t count,
                           const char *const *line, const char **ordered, missing lacking[2])
{
    int64_t found = 0, i = 0, j = 0;
    while (i < own_count || j < count) {
        int order = i == own_count ? 1 : j == count ? -1 : strcmp(own[i].name, wanted[j].name);
        if (order < 0) {
            note_missing(&lacking[0], own[i++].name);
        } else if (order > 0) {
            note_missing(&lacking[1], wanted[j].name);
            ordered[wanted[j++].at] = "";
        } else {
            ordered[wanted[j++].at] = line[own[i++].at];
            found++;
        }
    }
    return found;
}

static bool same_names(const cli_lines *lines, const char *const *names, int64_t count)
{
    if (lines->count != count)
        return false;
    for (int64_t i = 0; i < count; i++)
        if (strcmp(lines->name[i], names[i]) != 0)
            return false;
    return true;
}

bool cli_follow_names(const char *path, cli_lines *lines, const char *other,
                      const char *const *names, int64_t count)
{
    missing lacking[2] = {{0}};
    if (same_names(lines, names, count))
        return true;
    place *own = sort_names(path, lines->name, lines->count);
    place *wanted = own ? sort_names(other, names, count) : NULL;
    const char **ordered = malloc((size_t)(count + 1) * sizeof *ordered);
    bool good = own && wanted && ordered;
    if (good && merge_names(own, lines->count, wanted, count, lines->line, ordered, lacking) == 0) {
        cli_complain("%s and %s have no name in common, such as '%s'", path, other,
                     count > 0          ? names[0]
                     : lines->count > 0 ? lines->name[0]
                                        : "");
        good = false;
    }
    if (good) {
        warn_missing(&lacking[0], path, other);
        warn_missing(&lacking[1], other, path);
        free(lines->line);
        free(lines->name);
        free(lines->number);
        lines->line = ordered;
        lines->name = NULL;
        lines->number = NULL;
        lines->count = count;
        ordered = NULL;
    }
    free(own);
    free(wanted);
    free(ordered);
    return good;
}
