/* cairo, which is loaded when the first picture is drawn: with all that it stands on, it would take
 * most of the time of a program's start.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_CAIRO_H
#define COB_REPORT_CAIRO_H

#include "base/error.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>

/* The functions of cairo that are used: FUNCTION(name) of each. */
#define COB_CAIRO_FUNCTIONS(FUNCTION)                                                              \
    FUNCTION(arc)                                                                                  \
    FUNCTION(close_path)                                                                           \
    FUNCTION(create)                                                                               \
    FUNCTION(destroy)                                                                              \
    FUNCTION(fill)                                                                                 \
    FUNCTION(fill_preserve)                                                                        \
    FUNCTION(get_source)                                                                           \
    FUNCTION(image_surface_create)                                                                 \
    FUNCTION(image_surface_get_data)                                                               \
    FUNCTION(image_surface_get_stride)                                                             \
    FUNCTION(line_to)                                                                              \
    FUNCTION(move_to)                                                                              \
    FUNCTION(new_path)                                                                             \
    FUNCTION(paint)                                                                                \
    FUNCTION(pattern_set_filter)                                                                   \
    FUNCTION(pdf_surface_create_for_stream)                                                        \
    FUNCTION(pdf_surface_set_metadata)                                                             \
    FUNCTION(recording_surface_create)                                                             \
    FUNCTION(rectangle)                                                                            \
    FUNCTION(restore)                                                                              \
    FUNCTION(rotate)                                                                               \
    FUNCTION(save)                                                                                 \
    FUNCTION(scale)                                                                                \
    FUNCTION(select_font_face)                                                                     \
    FUNCTION(set_dash)                                                                             \
    FUNCTION(set_font_size)                                                                        \
    FUNCTION(set_line_join)                                                                        \
    FUNCTION(set_line_width)                                                                       \
    FUNCTION(set_source_rgb)                                                                       \
    FUNCTION(set_source_rgba)                                                                      \
    FUNCTION(set_source_surface)                                                                   \
    FUNCTION(show_text)                                                                            \
    FUNCTION(status)                                                                               \
    FUNCTION(status_to_string)                                                                     \
    FUNCTION(stroke)                                                                               \
    FUNCTION(surface_destroy)                                                                      \
    FUNCTION(surface_finish)                                                                       \
    FUNCTION(surface_mark_dirty)                                                                   \
    FUNCTION(surface_status)                                                                       \
    FUNCTION(surface_write_to_png_stream)                                                          \
    FUNCTION(svg_surface_create_for_stream)                                                        \
    FUNCTION(svg_surface_set_document_unit)                                                        \
    FUNCTION(text_extents)                                                                         \
    FUNCTION(translate)

/* Their pointers, with the types that cairo's own headers give them. */
typedef struct cob_cairo {
    void *library;
#define COB_POINTER(name) __typeof__(cairo_##name) *name;
    COB_CAIRO_FUNCTIONS(COB_POINTER)
#undef COB_POINTER
} cob_cairo;

/* `path`: the picture that it is to draw. */
cobloc_status cob_cairo_open(cob_cairo *cairo, const char *path, cobloc_error *err);
void cob_cairo_close(cob_cairo *cairo);

#endif
