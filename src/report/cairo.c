/* cairo, loaded when it is needed.
 * SPDX-License-Identifier: MIT
 */
#include "report/cairo.h"

#include "base/alloc.h"
#include "base/library.h"

cobloc_status cob_cairo_open(cob_cairo *cairo, const char *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
#define COB_SYMBOL(name) {"cairo_" #name, &cairo->name},
    const cob_symbol symbols[] = {COB_CAIRO_FUNCTIONS(COB_SYMBOL)};
#undef COB_SYMBOL
    cairo->library = cob_library_open("libcairo.so.2", symbols, sizeof symbols / sizeof *symbols);
    COB_CHECK(cairo->library, COBLOC_UNSUPPORTED,
              "%s: pictures are drawn by cairo (libcairo.so.2), which is not installed", path);
done:
    return status;
}

void cob_cairo_close(cob_cairo *cairo)
{
    cob_library_close(cairo->library);
    cairo->library = NULL;
}
