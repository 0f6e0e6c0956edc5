/* Labels in the order of other lines: by name, or by place.
 * SPDX-License-Identifier: MIT
 */
#include "score/scores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The names in order, with their places; each may stand only once. */
static cobloc_status sort_names(const char *of, const char *const *names, int64_t count,
                                place **out, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    place *places;
    COB_NEW(*out, count + 1);
    places = *out;
    for (int64_t i = 0; i < count; i++)
        places[i] = (place){names[i], i};
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int64_t i = 1; i < count; i++)
        COB_CHECK(strcmp(places[i].name, places[i - 1].name) != 0, COBLOC_BAD_DATA,
                  "%s: the name '%s' stands twice (names %lld and %lld), so that lines cannot be "
                  "matched by it",
                  of, places[i].name, (long long)places[i - 1].at + 1, (long long)places[i].at + 1);
done:
    return status;
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

/* Adds a sentence about them to the note. */
static void tell_missing(const missing *m, const char *from, const char *in, char *note,
                         size_t room)
{
    size_t used = strlen(note);
    if (m->count > 0)
        snprintf(note + used, room - used, "%s%lld name%s of %s %s not in %s and left out: %s",
                 used ? "; " : "", (long long)m->count, m->count == 1 ? "" : "s", from,
                 m->count == 1 ? "is" : "are", in, m->list);
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

static bool same_names(const cob_lines *lines, const char *const *names, int64_t count)
{
    if (lines->count != count)
        return false;
    for (int64_t i = 0; i < count; i++)
        if (strcmp(lines->name[i], names[i]) != 0)
            return false;
    return true;
}

/* Puts the lines into the order of `names`, which are those of `other`. */
static cobloc_status follow_names(cobloc_labels *l, const char *other, const char *const *names,
                                  int64_t count, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    missing lacking[2] = {{0}};
    place *own = NULL, *wanted = NULL;
    const char **ordered = NULL;
    cob_lines *lines = &l->lines;
    if (same_names(lines, names, count))
        goto done;
    COB_TRY(sort_names(l->path, lines->name, lines->count, &own, err));
    COB_TRY(sort_names(other, names, count, &wanted, err));
    COB_NEW(ordered, count + 1);
    COB_CHECK(merge_names(own, lines->count, wanted, count, lines->line, ordered, lacking) > 0,
              COBLOC_BAD_DATA, "%s and %s have no name in common, such as '%s'", l->path, other,
              count > 0          ? names[0]
              : lines->count > 0 ? lines->name[0]
                                 : "");
    tell_missing(&lacking[0], l->path, other, l->note, sizeof l->note);
    tell_missing(&lacking[1], other, l->path, l->note, sizeof l->note);
    cob_free(lines->line);
    cob_free(lines->name);
    cob_free(lines->number);
    *lines = (cob_lines){.line = ordered, .count = count, .text = lines->text};
    ordered = NULL;
done:
    cob_free(own);
    cob_free(wanted);
    cob_free(ordered);
    return status;
}

/* ---- matching -------------------------------------------------------------------------------- */

/* Takes blank lines at the end for lines where that makes them `count`. */
static bool lines_are(cob_lines *lines, int64_t count)
{
    if (count < lines->count || count > lines->count + lines->blank)
        return false;
    lines->blank -= count - lines->count;
    lines->count = count;
    return true;
}

typedef const char *(*name_fn)(const cobloc_matrix *, int64_t);

static cobloc_status match_side(cobloc_labels *l, const cobloc_matrix *matrix, int64_t count,
                                name_fn name_of, const char *what, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    const char **names = NULL;
    COB_CHECK(l->path, COBLOC_BAD_ARGUMENT, "labels of a matrix have its order already");
    if (l->lines.name && count > 0 && name_of(matrix, 0)) {
        COB_NEW(names, count);
        for (int64_t i = 0; i < count; i++)
            names[i] = name_of(matrix, i);
        COB_TRY(follow_names(l, "the matrix", names, count, err));
    } else {
        COB_CHECK(lines_are(&l->lines, count), COBLOC_BAD_DATA,
                  "%s: holds %lld labels, but the matrix has %lld %s", l->path,
                  (long long)l->lines.count, (long long)count, what);
    }
    status = cob_labels_number(l, err);
done:
    cob_free(names);
    return status;
}

cobloc_status cobloc_labels_match_rows(cobloc_labels *labels, const cobloc_matrix *matrix,
                                       cobloc_error *err)
{
    return match_side(labels, matrix, cobloc_matrix_rows(matrix), cobloc_matrix_row_name, "rows",
                      err);
}

cobloc_status cobloc_labels_match_cols(cobloc_labels *labels, const cobloc_matrix *matrix,
                                       cobloc_error *err)
{
    return match_side(labels, matrix, cobloc_matrix_cols(matrix), cobloc_matrix_col_name, "columns",
                      err);
}

cobloc_status cobloc_labels_match(cobloc_labels *labels, cobloc_labels *other, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_lines *a = &labels->lines, *b = &other->lines;
    COB_CHECK(labels->path && other->path, COBLOC_BAD_ARGUMENT,
              "labels of a matrix have its order already");
    if (a->name && b->name)
        COB_TRY(follow_names(labels, other->path, b->name, b->count, err));
    else
        COB_CHECK(lines_are(a, b->count) || lines_are(b, a->count), COBLOC_BAD_DATA,
                  "%s holds %lld labels, but %s holds %lld", other->path, (long long)b->count,
                  labels->path, (long long)a->count);
    COB_TRY(cob_labels_number(labels, err));
    status = cob_labels_number(other, err);
done:
    return status;
}
