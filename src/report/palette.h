/* The colours of blocs: the same in charts and on the page.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_PALETTE_H
#define COB_REPORT_PALETTE_H

#include <stdbool.h>
#include <stdint.h>

/* Colours that are clearly different; further ones are shades of these. */
enum { COB_COLOURS = 36 };

/* Colour number 0, 1, ... as 0xRRGGBB, on white paper or on a dark screen. */
uint32_t cob_palette(int colour, bool dark);

#endif
