/* cobloc: options by name in, results by name out.
 *
 * Options are made by cobloc_..._options_new, filled with their defaults, and changed by name:
 *
 *     cobloc_fit_options *options = NULL;
 *     cobloc_fit_options_new(&options, &err);
 *     cobloc_set_int(options, "k", 4, &err);
 *     cobloc_set_text(options, "model", "splbm", &err);
 *
 * Results are read by name, and by path where they are nested:
 *
 *     double criterion = cobloc_real(result, "criterion");
 *     const int32_t *labels = cobloc_ints(result, &count, "row_labels");
 *     double weight = cobloc_real(description, "blocs[%d].telling[%d].weight", b, t);
 *
 * docs/interface.md lists all names. Names are never removed or given another meaning within a
 * major version, so a program keeps running when the library gains an option or a result.
 *
 * A path is a name, or names joined by dots. "name[3]" is an element of an array or list, counted
 * from 0; "name[-1]" is the last one.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_VALUES_H
#define COBLOC_VALUES_H

#include "cobloc/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a name stands for. */
typedef enum cobloc_kind {
    COBLOC_NONE = 0, /* there is no such name */
    COBLOC_INT,      /* a whole number */
    COBLOC_REAL,     /* a number */
    COBLOC_FLAG,     /* 0 or 1 */
    COBLOC_TEXT,     /* UTF-8, may be NULL */
    COBLOC_CHOICE,   /* one of several names; as an integer, the value of its enum */
    COBLOC_INTS,     /* an array of int32_t, */
    COBLOC_INT64S,   /* of int64_t, */
    COBLOC_REALS,    /* of double, */
    COBLOC_TEXTS,    /* of texts */
    COBLOC_GROUP,    /* names of its own: "fit.restarts" */
    COBLOC_LIST,     /* a list of groups: "blocs[0].name" */
    COBLOC_OBJECT,   /* another object: a matrix, a result */
    COBLOC_PROGRESS, /* a callback: see cobloc_set_progress */
    COBLOC_RANKS     /* a communicator: see cobloc_set_communicator */
} cobloc_kind;

/* ---- setting options -------------------------------------------------------------------------
 *
 * `options` is any object made by a cobloc_..._options_new (also a simulation, a chart or a
 * report). An unknown name, a wrong kind or a value out of range gives COBLOC_BAD_ARGUMENT and a
 * sentence that says what was expected; nothing is changed then. */

COBLOC_API cobloc_status cobloc_set_int(void *options, const char *path, int64_t value,
                                        cobloc_error *err);
COBLOC_API cobloc_status cobloc_set_real(void *options, const char *path, double value,
                                         cobloc_error *err);
COBLOC_API cobloc_status cobloc_set_flag(void *options, const char *path, int value,
                                         cobloc_error *err);

/* Copies a text; NULL restores the default, also of numbers and choices, where it may stand for
 * "not set". For other kinds the text is read as such: a number as "20", a flag as "1", "0", "yes"
 * or "no", a choice as its name, texts as "a,b,c". */
COBLOC_API cobloc_status cobloc_set_text(void *options, const char *path, const char *value,
                                         cobloc_error *err);

/* Copy an array; a count of 0 takes it away. */
COBLOC_API cobloc_status cobloc_set_ints(void *options, const char *path, const int32_t *values,
                                         int64_t count, cobloc_error *err);
COBLOC_API cobloc_status cobloc_set_reals(void *options, const char *path, const double *values,
                                          int64_t count, cobloc_error *err);
COBLOC_API cobloc_status cobloc_set_texts(void *options, const char *path,
                                          const char *const *values, int64_t count,
                                          cobloc_error *err);

/* Fills an array from a text file: numbers, one a line, or texts. Of a table with a header, numbers
 * come from its column "cluster", "label" or "class", texts from "name". */
COBLOC_API cobloc_status cobloc_set_file(void *options, const char *path, const char *file,
                                         cobloc_error *err);

/* Points the options at an object, such as a matrix, which is borrowed: it must live as long as the
 * options are used. NULL takes it away. */
COBLOC_API cobloc_status cobloc_set_object(void *options, const char *path, const void *object,
                                           cobloc_error *err);

/* Adds an element to a list, which is then set as "list[-1].name". */
COBLOC_API cobloc_status cobloc_append(void *options, const char *path, cobloc_error *err);

/* Sets the callback of the options; NULL: none. Options without one ignore it. */
COBLOC_API void cobloc_set_progress(void *options, cobloc_progress_fn report, void *user);

/* ---- reading values --------------------------------------------------------------------------
 *
 * Of results and of options. The path may hold conversions as in printf. What is returned belongs
 * to the object. A path that does not exist, or is of another kind, yields 0, NaN or NULL, and a
 * count of -1. */

/* Integers, flags and choices; elements of integer arrays. */
COBLOC_API int64_t cobloc_int(const void *object, const char *path, ...) COBLOC_PRINTF(2, 3);
/* The same, and real numbers. */
COBLOC_API double cobloc_real(const void *object, const char *path, ...) COBLOC_PRINTF(2, 3);
/* Texts, names of choices, elements of arrays of texts. */
COBLOC_API const char *cobloc_text(const void *object, const char *path, ...) COBLOC_PRINTF(2, 3);
/* Whole arrays. `count` receives their length and may be NULL. */
COBLOC_API const int32_t *cobloc_ints(const void *object, int64_t *count, const char *path, ...)
    COBLOC_PRINTF(3, 4);
COBLOC_API const int64_t *cobloc_int64s(const void *object, int64_t *count, const char *path, ...)
    COBLOC_PRINTF(3, 4);
COBLOC_API const double *cobloc_reals(const void *object, int64_t *count, const char *path, ...)
    COBLOC_PRINTF(3, 4);
COBLOC_API const char *const *cobloc_texts(const void *object, int64_t *count, const char *path,
                                           ...) COBLOC_PRINTF(3, 4);
/* The length of an array or a list. */
COBLOC_API int64_t cobloc_count(const void *object, const char *path, ...) COBLOC_PRINTF(2, 3);
/* The dimensions of an array: 2 for a table, whose rows stand one after the other, else 1; 0 where
 * there is no such array. `shape` receives the lengths. */
COBLOC_API int cobloc_shape(const void *object, int64_t shape[2], const char *path, ...)
    COBLOC_PRINTF(3, 4);
/* An object or group that can be read by itself, such as the "result" of a saved folder. */
COBLOC_API const void *cobloc_object(const void *object, const char *path, ...) COBLOC_PRINTF(2, 3);

/* ---- listing names ---------------------------------------------------------------------------
 *
 * For bindings and help texts. "" is the object itself; "list[]" stands for any element of a list,
 * which may be empty. Defaults are the values of options that were just made. */

/* The names in an object, group or list element; -1 where the path is none of these. */
COBLOC_API int cobloc_field_count(const void *object, const char *path);
/* 0 <= index < cobloc_field_count; NULL beyond. */
COBLOC_API const char *cobloc_field_name(const void *object, const char *path, int index);
COBLOC_API cobloc_kind cobloc_field_kind(const void *object, const char *path);
/* What it means, in a sentence or two. */
COBLOC_API const char *cobloc_field_help(const void *object, const char *path);
/* The name of a choice's value, from 0 on; NULL beyond. */
COBLOC_API const char *cobloc_field_choice(const void *object, const char *path, int value);
/* The smallest and largest legal value of a number; false (0) where there are no limits. */
COBLOC_API int cobloc_field_range(const void *object, const char *path, double *least,
                                  double *most);

#ifdef __cplusplus
}
#endif

#endif
