/* Libraries that are loaded when they are needed, not before: they would take time at every start,
 * and need not be there.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_BASE_LIBRARY_H
#define COB_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* A function to look up, and where its pointer goes. */
typedef struct cob_symbol {
    const char *name;
    void *function; /* the address of a pointer to a function */
} cob_symbol;

/* Loads a library, by its file name, and finds functions in it. NULL if it, or one of them, is not
 * there. It stays in memory when it is closed, so that loading it again is quick. */
void *cob_library_open(const char *name, const cob_symbol *symbols, size_t count);
void cob_library_close(void *library);

#endif
