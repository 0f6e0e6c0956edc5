/* Reading label files.
 * SPDX-License-Identifier: MIT
 */
#include "labels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path)
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
    if (!file || ferror(file)) {
        cli_complain("%s: %s", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    if (text)
        text[used] = '\0';
    return text;
}

/* Of a line of a TSV table with a header: its second field. */
static char *second_field(char *line)
{
    char *tab = strchr(line, '\t');
    if (!tab)
        return line;
    char *end = strchr(tab + 1, '\t');
    if (end)
        *end = '\0';
    return tab + 1;
}

bool cli_read_lines(const char *path, cli_lines *lines)
{
    *lines = (cli_lines){.text = read_all(path)};
    if (!lines->text)
        return false;
    size_t room = 1;
    for (const char *p = lines->text; *p; p++)
        room += *p == '\n';
    lines->line = lines->room = malloc(room * sizeof *lines->line);
    if (!lines->room) {
        cli_complain("out of memory");
        cli_lines_free(lines);
        return false;
    }
    bool table = strncmp(lines->text, "name\tcluster", 12) == 0;
    for (char *p = lines->text, *end; *p; p = end) {
        end = p + strcspn(p, "\n");
        char *stop = end;
        end += *end == '\n';
        while (stop > p && (stop[-1] == '\r' || stop[-1] == ' '))
            stop--;
        *stop = '\0';
        lines->line[lines->count++] = table ? second_field(p) : p;
    }
    while (lines->count > 0 && lines->line[lines->count - 1][0] == '\0')
        lines->count--;
    if (table) {
        lines->line++; /* the header */
        lines->count--;
    }
    return true;
}

void cli_lines_free(cli_lines *lines)
{
    free(lines->room);
    free(lines->text);
    *lines = (cli_lines){0};
}

static int compare_lines(const void *a, const void *b)
{
    const char *const *x, *const *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    int order = strcmp(*x, *y);
    return order ? order : (x > y) - (x < y);
}

static bool is_missing(const char *text)
{
    return !*text || strcmp(text, "?") == 0 || strcmp(text, "-") == 0 || strcmp(text, "-1") == 0 ||
           strcmp(text, "NA") == 0;
}

int32_t *cli_number_labels(const cli_lines *lines)
{
    size_t count = (size_t)lines->count;
    const char **const *sorted = NULL;
    int32_t *labels = malloc((count + 1) * sizeof *labels);
    const char ***places = malloc((count + 1) * sizeof *places);
    if (!labels || !places) {
        free(labels);
        free(places);
        cli_complain("out of memory");
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        places[i] = &lines->line[i];
    qsort(places, count, sizeof *places, compare_lines);
    sorted = (const char **const *)places;
    /* First the place of the first of its kind, then numbers in the order of those places. */
    for (size_t i = 0, first = 0; i < count; i++) {
        if (strcmp(*sorted[i], *sorted[first]) != 0)
            first = i;
        labels[sorted[i] - lines->line] = (int32_t)(sorted[first] - lines->line);
    }
    int32_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_missing(lines->line[i]))
            labels[i] = -1;
        else if (labels[i] == (int32_t)i)
            labels[i] = next++;
        else
            labels[i] = labels[labels[i]];
    }
    free(places);
    return labels;
}

static bool check_count(const char *path, const cli_lines *lines, int64_t expected)
{
    if (lines->count == expected)
        return true;
    cli_complain("%s: holds %lld lines, expected %lld", path, (long long)lines->count,
                 (long long)expected);
    return false;
}

int32_t *cli_integer_labels(const char *path, int64_t expected)
{
    cli_lines lines;
    int32_t *labels = NULL;
    if (!cli_read_lines(path, &lines))
        return NULL;
    if (check_count(path, &lines, expected))
        labels = malloc((size_t)expected * sizeof *labels);
    for (int64_t i = 0; labels && i < expected; i++) {
        char *end;
        long value = strtol(lines.line[i], &end, 10);
        if (end == lines.line[i] || *end || value < -1 || value > INT32_MAX) {
            cli_complain("%s:%lld: '%s' is not a label, expected a whole number from 0, or -1",
                         path, (long long)(i + 1), lines.line[i]);
            free(labels);
            labels = NULL;
            break;
        }
        labels[i] = (int32_t)value;
    }
    cli_lines_free(&lines);
    return labels;
}

double *cli_numbers(const char *path, int64_t expected)
{
    cli_lines lines;
    double *numbers = NULL;
    if (!cli_read_lines(path, &lines))
        return NULL;
    if (check_count(path, &lines, expected))
        numbers = malloc((size_t)expected * sizeof *numbers);
    for (int64_t i = 0; numbers && i < expected; i++) {
        char *end;
        numbers[i] = strtod(lines.line[i], &end);
        if (end == lines.line[i] || *end) {
            cli_complain("%s:%lld: '%s' is not a number", path, (long long)(i + 1), lines.line[i]);
            free(numbers);
            numbers = NULL;
        }
    }
    cli_lines_free(&lines);
    return numbers;
}
