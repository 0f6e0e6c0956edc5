/* Libraries that are loaded when they are needed.
 * SPDX-License-Identifier: MIT
 */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

void *cob_library_open(const char *name, const cob_symbol *symbols, size_t count)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    for (size_t i = 0; library && i < count; i++) {
        void *found = dlsym(library, symbols[i].name);
        if (found) { /* an object pointer may not be assigned to one of a function */
            memcpy(symbols[i].function, &found, sizeof found);
        } else {
            dlclose(library);
            library = NULL;
        }
    }
    return library;
}

void cob_library_close(void *library)
{
    if (library)
        dlclose(library);
}
