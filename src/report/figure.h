/* A page to draw on with cairo. The extension selects the format: .svg, .pdf or .png. The file
 * appears under its name complete, or not at all.
 *
 * Lengths are in points (1/72 inch); (0, 0) is the upper left corner. Drawing functions do not
 * fail: cairo remembers its first error, and cob_figure_commit reports it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_FIGURE_H
#define COB_REPORT_FIGURE_H

#include "base/file.h"
#include "base/plain.h"
#include "report/cairo.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cob_figure {
    cob_cairo cairo;
    cairo_t *cr;
    double width, height;
    cairo_surface_t *surface;
    cob_file *file;
    const char *path; /* borrowed */
    bool png;
    uint64_t png_bytes; /* written so far */
    cob_plain plain;    /* cairo writes numbers */
} cob_figure;

cobloc_status cob_figure_create(const char *path, double width, double height, cob_figure **out,
                                cobloc_error *err);
/* Makes the file appear. Call cob_figure_close afterwards, also after a failure. */
cobloc_status cob_figure_commit(cob_figure *figure, cobloc_error *err);
void cob_figure_close(cob_figure *figure);

/* ---- ink ------------------------------------------------------------------------------------- */

/* Number 0, 1, ... of the palette. */
void cob_colour(int colour, double *red, double *green, double *blue); /* each from 0 to 1 */
void cob_ink_colour(cob_figure *figure, int colour, double alpha);
/* 0 is black, 1 is white. */
void cob_ink_grey(cob_figure *figure, double lightness);

/* ---- shapes ---------------------------------------------------------------------------------- */

void cob_draw_line(cob_figure *figure, double x0, double y0, double x1, double y1, double width);
void cob_draw_ring(cob_figure *figure, double x, double y, double radius, double width);
/* Switches dashed lines on or off. */
void cob_draw_dashed(cob_figure *figure, bool dashed);
/* A small filled shape: circle, square, triangle, diamond, then circle again. */
void cob_draw_marker(cob_figure *figure, double x, double y, double radius, int shape);

/* ---- text: sans-serif, UTF-8 ----------------------------------------------------------------- */

typedef enum cob_align { COB_LEFT = 0, COB_CENTRE, COB_RIGHT } cob_align;

void cob_font(cob_figure *figure, double size, bool bold);
double cob_text_width(cob_figure *figure, const char *text);
/* `x` is the start, middle or end of the text; `y` is the middle of its lower-case letters. */
void cob_draw_text(cob_figure *figure, double x, double y, cob_align align, const char *text);
/* The same, centred and rotated to read upwards. */
void cob_draw_text_upwards(cob_figure *figure, double x, double y, const char *text);

/* ---- the colours of blocs (palette.c) -------------------------------------------------------- */

/* Colours that are clearly different; further ones are shades of these. */
enum { COB_COLOURS = 36 };

/* Colour number 0, 1, ... as 0xRRGGBB, on white paper or on a dark screen. */
uint32_t cob_palette(int colour, bool dark);

#endif
