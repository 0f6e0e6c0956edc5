/* libzip, loaded when it is needed.
 * SPDX-License-Identifier: MIT
 */
#include "io/zip.h"

#include "base/alloc.h"
#include "base/library.h"

cobloc_status cob_zip_load(cob_zip *zip, cobloc_error *err)
{
    /* The same functions by two names: Debian's, and that of most others. */
    static const char *const names[] = {"libzip.so.4", "libzip.so.5"};
    cobloc_status status = COBLOC_OK;
#define COB_SYMBOL(name) {"zip_" #name, &zip->name},
    const cob_symbol symbols[] = {COB_ZIP_FUNCTIONS(COB_SYMBOL)};
#undef COB_SYMBOL
    for (size_t i = 0; i < sizeof names / sizeof *names && !zip->library; i++)
        zip->library = cob_library_open(names[i], symbols, sizeof symbols / sizeof *symbols);
    COB_CHECK(
        zip->library, COBLOC_UNSUPPORTED,
        "archives of arrays need libzip (libzip.so.4 or libzip.so.5), which is not installed");
done:
    return status;
}

void cob_zip_unload(cob_zip *zip)
{
    cob_library_close(zip->library);
    zip->library = NULL;
}
