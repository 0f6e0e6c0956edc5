/* Tables of fields: what the options and results of the library consist of. Each such struct starts
 * with a cob_object, which points to its type; the type lists its fields by name. The public
 * getters and setters (cobloc/values.h), default values and the release of memory all work on these
 * tables, and the help text of a field is its documentation.
 *
 * Inside the library the structs are used as plain C structs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_FIELDS_H
#define COB_BASE_FIELDS_H

#include "base/alloc.h"
#include "base/progress.h"

#include <math.h>
#include <stdbool.h>

typedef struct cob_type cob_type;
typedef struct cob_owned cob_owned;

/* The first member of every struct that callers hold a pointer to. */
typedef struct cob_object {
    const cob_type *type;
    cob_owned *owned; /* copies of what the setters were given */
} cob_object;

/* An integer member that says how many elements an array has. */
typedef struct cob_count {
    size_t offset, size; /* size 0: no such member */
} cob_count;

typedef struct cob_named_field {
    cobloc_kind kind;
    const char *name;
    size_t offset, size;
    const char *help;
    double least, most;     /* numbers; the same: no limits */
    double usual;           /* default of a number, choice or flag */
    const char *usual_text; /* default of a text */
    cobloc_status (*check)(const char *text,
                           cobloc_error *err); /* texts: which are legal; or NULL */
    const char *const *choices; /* names of an enum's values from 0 on, ended by NULL */
    const cob_type *of;         /* groups, lists, objects: what they consist of */
    cob_count count[3];         /* arrays: their length is the product of these members, */
    int plus, times;            /* the last one plus a number; times another, if not 0 */
    bool fixed;                 /* options: the members of `count` are set by themselves */
    bool in_place;              /* a text in an array of characters, not behind a pointer */
    bool owned;                 /* results: a text or object that is released with its struct */
} cob_named_field;

typedef enum cob_role {
    COB_PART = 0, /* only ever inside another struct: has no head */
    COB_OPTIONS,  /* made and changed by callers */
    COB_RESULT    /* made by the library: owns its arrays */
} cob_role;

struct cob_type {
    const char *name; /* for messages, such as "fit options" */
    size_t size;
    cob_role role;
    int count;
    const cob_named_field *fields;
    void (*release)(void *object); /* releases what the table does not know; or NULL */
};

/* ---- writing tables
 * ------------------------------------------------------------------------------
 *
 *     #define S cobloc_fit_options
 *     static const cob_named_field fields[] = {
 *         COB_INT(k, "Row clusters.", COB_RANGE(1, 10000, 0)),
 *         COB_INTS(fix_rows, fix_row_count, "Known labels of the rows; -1: unknown."),
 *     };
 *     const cob_type cob_fit_options_type = COB_TYPE("fit options", COB_OPTIONS, fields);
 *     #undef S
 */
#define COB_TYPE(title, its_role, its_fields)                                                      \
    {                                                                                              \
        .name = (title), .size = sizeof(S), .role = (its_role),                                    \
        .count = sizeof(its_fields) / sizeof *(its_fields), .fields = (its_fields)                 \
    }

#define COB_MEMBER_(its_kind, member)                                                              \
    .kind = (its_kind), .name = #member, .offset = offsetof(S, member),                            \
    .size = sizeof(((S *)0)->member)
#define COB_COUNT_(member)                                                                         \
    {                                                                                              \
        offsetof(S, member), sizeof(((S *)0)->member)                                              \
    }
#define COB_ARRAY_(its_kind, member, length, ...)                                                  \
    {                                                                                              \
        COB_MEMBER_(its_kind, member), .count = {COB_COUNT_(length)}, .help = __VA_ARGS__          \
    }

/* The help text comes last, followed by further members of cob_named_field where needed. */
#define COB_FIELD(its_kind, member, ...)                                                           \
    {                                                                                              \
        COB_MEMBER_(its_kind, member), .help = __VA_ARGS__                                         \
    }
#define COB_INT(member, ...) COB_FIELD(COBLOC_INT, member, __VA_ARGS__)
#define COB_REAL(member, ...) COB_FIELD(COBLOC_REAL, member, __VA_ARGS__)
#define COB_FLAG(member, ...) COB_FIELD(COBLOC_FLAG, member, __VA_ARGS__)
#define COB_TEXT(member, ...) COB_FIELD(COBLOC_TEXT, member, __VA_ARGS__)
#define COB_CHARS(member, ...) COB_FIELD(COBLOC_TEXT, member, __VA_ARGS__, .in_place = true)
#define COB_OWN_TEXT(member, ...) COB_FIELD(COBLOC_TEXT, member, __VA_ARGS__, .owned = true)
#define COB_CHOICE(member, names, ...)                                                             \
    COB_FIELD(COBLOC_CHOICE, member, __VA_ARGS__, .choices = (names))
#define COB_INTS(member, length, ...) COB_ARRAY_(COBLOC_INTS, member, length, __VA_ARGS__)
#define COB_INT64S(member, length, ...) COB_ARRAY_(COBLOC_INT64S, member, length, __VA_ARGS__)
#define COB_REALS(member, length, ...) COB_ARRAY_(COBLOC_REALS, member, length, __VA_ARGS__)
#define COB_TEXTS(member, length, ...) COB_ARRAY_(COBLOC_TEXTS, member, length, __VA_ARGS__)
#define COB_LIST(member, length, type, ...)                                                        \
    COB_ARRAY_(COBLOC_LIST, member, length, __VA_ARGS__, .of = &(type))
#define COB_GROUP(member, type, ...) COB_FIELD(COBLOC_GROUP, member, __VA_ARGS__, .of = &(type))
/* Behind a pointer: a result that this one owns; and something borrowed, of any type for NULL. */
#define COB_OWN_OBJECT(member, type, ...)                                                          \
    COB_FIELD(COBLOC_OBJECT, member, __VA_ARGS__, .of = &(type), .owned = true)
#define COB_OBJECT(member, type, ...) COB_FIELD(COBLOC_OBJECT, member, __VA_ARGS__, .of = (type))
#define COB_PROGRESS(member)                                                                       \
    COB_FIELD(COBLOC_PROGRESS, member, "Called now and then; see cobloc_set_progress.")
#define COB_COMMUNICATOR                                                                           \
    COB_FIELD(COBLOC_RANKS, communicator,                                                          \
              "How several processes share the work; see cobloc_set_communicator.")

/* Members of cob_named_field that follow the help text. A default outside the range stands for
 * "not set". */
#define COB_RANGE(from, to, by_default) .least = (from), .most = (to), .usual = (by_default)
#define COB_USUAL(value) .usual = (value)
#define COB_USUAL_TEXT(text) .usual_text = (text)
/* A table: its length is that of the first member times this one plus a number. */
#define COB_BY(member, number) .count[1] = COB_COUNT_(member), .plus = (number)

/* The limits of most options. */
enum { COB_MOST_CLUSTERS = 10000, COB_MOST_THREADS = 1024 };
#define COB_ANY_SEED COB_RANGE(0, 9007199254740992.0, 1)
#define COB_SOME_THREADS COB_RANGE(1, COB_MOST_THREADS, 0)
#define COB_FROM_0(by_default) COB_RANGE(0, INFINITY, by_default)

/* What several options say of themselves. */
#define COB_THREADS_HELP "Number of threads. By default as many as OpenMP offers."
#define COB_SECONDS_HELP                                                                           \
    "Stop after this many seconds and keep the best result so far. By default there is no limit."

/* ---- objects --------------------------------------------------------------------------------- */

/* Fills a struct with the defaults of its type. */
void cob_init(void *object, const cob_type *type);

/* Gives a number, choice, flag or text of a struct its default. */
void cob_set_default(void *in, const cob_named_field *field);

/* A new one; NULL, with the sentence, where there is no memory. */
void *cob_new(const cob_type *type, cobloc_error *err);

/* The same into a variable, inside a function with `status`, `err` and `done:`. */
#define COB_MAKE(variable, type)                                                                   \
    do {                                                                                           \
        (variable) = cob_new(&(type), err);                                                        \
        if (!(variable)) {                                                                         \
            status = COBLOC_NO_MEMORY;                                                             \
            goto done;                                                                             \
        }                                                                                          \
    } while (0)

/* Copies a result that owns no memory into a new one, and sets the pointer at `out` to it. */
cobloc_status cob_hand_out(const void *result, const cob_type *type, void *out, cobloc_error *err);

/* A copy of a result that consists of numbers, texts, arrays and lists of such; NULL, with the
 * sentence, where there is no memory. */
void *cob_copy(const void *result, cobloc_error *err);

/* Releases an object that cob_new made, or a result, with all it owns. NULL is allowed. */
void cob_release(void *object);

/* Releases what a part of a result owns, but not the part itself. */
void cob_release_part(void *part, const cob_type *type);

/* The functions by which callers make and release options, and those for results. */
#define COB_DEFINE_OPTIONS(name)                                                                   \
    cobloc_status cobloc_##name##_new(cobloc_##name **out, cobloc_error *err)                      \
    {                                                                                              \
        cobloc_##name *made = cob_new(&cob_##name##_type, err);                                    \
        if (!made)                                                                                 \
            return COBLOC_NO_MEMORY;                                                               \
        *out = made;                                                                               \
        return COBLOC_OK;                                                                          \
    }                                                                                              \
    void cob_##name##_default(cobloc_##name *options)                                              \
    {                                                                                              \
        cob_init(options, &cob_##name##_type);                                                     \
    }                                                                                              \
    COB_DEFINE_FREE(name)
#define COB_DEFINE_FREE(name)                                                                      \
    void cobloc_##name##_free(cobloc_##name *object)                                               \
    {                                                                                              \
        cob_release(object);                                                                       \
    }

/* The name of an enum's value; "unknown" where there is none. */
const char *cob_choice_name(const char *const *choices, int value);
/* The value with this name; -1 where there is none. */
int cob_choice_find(const char *const *choices, const char *name);

/* ---- places (paths.c) ------------------------------------------------------------------------ */

/* What a path leads to. */
typedef struct cob_found {
    const cob_named_field *field; /* NULL: the object itself */
    const cob_type *type;         /* where the place is a struct: its type; else NULL */
    const cob_type *owner;        /* of the struct that the field is a member of */
    void *in;        /* the struct that the field is a member of; NULL: only the type is
                        known */
    int64_t element; /* of an array: which; -1: all of it, -2: any */
} cob_found;

/* Finds "blocs[3].telling[0].weight" in an object. */
cobloc_status cob_find_field(const void *object, const char *path, cob_found *place,
                             cobloc_error *err);

/* The field of this name; NULL: there is none. */
const cob_named_field *cob_field_named(const cob_type *type, const char *name, size_t length);

/* The length of the rows of a table; 0: it is a plain array. */
int64_t cob_row_length(const cob_named_field *field, const void *in);
/* The length of an array field of a struct; 0 where its pointer is NULL. */
int64_t cob_field_length(const cob_named_field *field, const void *in);
/* The length that it has where its pointer is not NULL. */
int64_t cob_full_length(const cob_named_field *field, const void *in);

/* A pointer member of a struct, and an integer member of 4 or 8 bytes. */
void *cob_member_pointer(const void *in, size_t offset);
int64_t cob_member_integer(const void *in, size_t offset, size_t size);
void cob_set_member_integer(void *in, size_t offset, size_t size, int64_t value);

#endif
