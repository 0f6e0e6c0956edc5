/* A page to draw on.
 * SPDX-License-Identifier: MIT
 */
#include "report/figure.h"

#include "base/alloc.h"
#include "base/crc.h"
#include "fit/saved.h"

#include <math.h>

static const double PIXELS_PER_POINT = 3;     /* of a PNG: 216 per inch, sharp in print */
static const double TURN = 6.283185307179586; /* a full turn in radians */
static const double SMALLEST = 20, LARGEST = 5000;

/* ---- opening and closing --------------------------------------------------------------------- */

/* Translates cairo's errors. */
static cobloc_status check(const cob_figure *f, cairo_status_t status, cobloc_error *err)
{
    switch (status) {
    case CAIRO_STATUS_SUCCESS:
        return COBLOC_OK;
    case CAIRO_STATUS_NO_MEMORY:
        return cob_fail(err, COBLOC_NO_MEMORY, "out of memory");
    case CAIRO_STATUS_INVALID_STRING:
        return cob_fail(err, COBLOC_BAD_ARGUMENT, "%s: a text in this picture is not UTF-8",
                        f->path);
    default:
        return cob_fail(err, COBLOC_IO, "%s: cannot be drawn: %s", f->path,
                        f->cairo.status_to_string(status));
    }
}

/* Write errors are kept in the file and reported when it is committed. */
static cairo_status_t write_bytes(void *file, const unsigned char *bytes, unsigned int count)
{
    cob_file_bytes(file, bytes, count);
    return CAIRO_STATUS_SUCCESS;
}

/* A chunk of text, which follows the header of a PNG. */
static void write_png_mark(cob_file *file)
{
    static const unsigned char chunk[] = "tEXtSoftware\0" COB_PICTURE_MARK;
    const unsigned int length = sizeof chunk - 1;
    uint32_t crc = cob_crc32(0, chunk, length);
    unsigned char sizes[2][4];
    for (int i = 0; i < 4; i++) {
        sizes[0][i] = (unsigned char)((length - 4) >> (24 - 8 * i));
        sizes[1][i] = (unsigned char)(crc >> (24 - 8 * i));
    }
    cob_file_bytes(file, sizes[0], 4);
    cob_file_bytes(file, chunk, length);
    cob_file_bytes(file, sizes[1], 4);
}

static cairo_status_t write_png(void *figure, const unsigned char *bytes, unsigned int count)
{
    enum { SIGNATURE_AND_HEADER = 33 };
    cob_figure *f = figure;
    if (f->png_bytes == SIGNATURE_AND_HEADER)
        write_png_mark(f->file);
    f->png_bytes += count;
    return write_bytes(f->file, bytes, count);
}

/* So that a result that is replaced can take its pictures with it. */
static void write_mark(cob_figure *f)
{
    if (!f->png)
        cob_file_text(f->file, cob_path_ends(f->path, ".svg") ? "<!-- " COB_PICTURE_MARK " -->\n"
                                                              : "% " COB_PICTURE_MARK "\n");
}

/* Cairo may crash where memory runs out. So there must be enough of it before it is called, for
 * what it needs itself and for the pixels of such a picture. */
static cobloc_status demand_room(const cob_figure *f, cobloc_error *err)
{
    enum { OF_ITS_OWN = 1 << 22, PIXEL = 4 };
    double pixels = ceil(f->width * PIXELS_PER_POINT) * ceil(f->height * PIXELS_PER_POINT);
    size_t bytes = OF_ITS_OWN + PIXEL * (size_t)pixels;
    void *room = cob_alloc(bytes, 1);
    cob_free(room);
    return room ? COBLOC_OK : cob_fail_memory(err, bytes, 1);
}

static cairo_surface_t *make_surface(cob_figure *f, bool pdf)
{
    if (f->png)
        return f->cairo.image_surface_create(CAIRO_FORMAT_RGB24,
                                             (int)ceil(f->width * PIXELS_PER_POINT),
                                             (int)ceil(f->height * PIXELS_PER_POINT));
    if (!pdf) {
        cairo_surface_t *svg =
            f->cairo.svg_surface_create_for_stream(write_bytes, f->file, f->width, f->height);
        f->cairo.svg_surface_set_document_unit(svg, CAIRO_SVG_UNIT_PT);
        return svg;
    }
    cairo_surface_t *surface =
        f->cairo.pdf_surface_create_for_stream(write_bytes, f->file, f->width, f->height);
    /* A fixed date, so that the same picture gives the same bytes. */
    f->cairo.pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE,
                                      "2000-01-01T00:00:00Z");
    return surface;
}

cobloc_status cob_figure_create(const char *path, double width, double height, cob_figure **out,
                                cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    cob_figure *f = NULL;
    bool svg = cob_path_ends(path, ".svg"), pdf = cob_path_ends(path, ".pdf"),
         png = cob_path_ends(path, ".png");
    COB_CHECK(svg || pdf || png, COBLOC_BAD_ARGUMENT,
              "%s: the name of a picture must end in .svg, .pdf or .png", path);
    COB_CHECK(width >= SMALLEST && width <= LARGEST && height >= SMALLEST && height <= LARGEST,
              COBLOC_BAD_ARGUMENT,
              "%s: a picture of %g by %g points, expected %g to %g points per side", path, width,
              height, SMALLEST, LARGEST);
    COB_NEW_ZERO(f, 1);
    f->path = path;
    f->width = width;
    f->height = height;
    f->png = png;
    f->plain = cob_plain_begin();
    COB_TRY(cob_cairo_open(&f->cairo, path, err));
    COB_TRY(cob_file_create(path, &f->file, err));
    COB_TRY(demand_room(f, err));
    f->surface = make_surface(f, pdf);
    COB_TRY(check(f, f->cairo.surface_status(f->surface), err));
    f->cr = f->cairo.create(f->surface);
    COB_TRY(check(f, f->cairo.status(f->cr), err));
    if (png)
        f->cairo.scale(f->cr, PIXELS_PER_POINT, PIXELS_PER_POINT);
    f->cairo.set_line_join(f->cr, CAIRO_LINE_JOIN_ROUND);
    cob_ink_grey(f, 1);
    f->cairo.paint(f->cr);
    *out = f;
    f = NULL;
done:
    cob_figure_close(f);
    return status;
}

cobloc_status cob_figure_commit(cob_figure *f, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    COB_TRY(check(f, f->cairo.status(f->cr), err));
    COB_TRY(demand_room(f, err));
    if (f->png)
        COB_TRY(check(f, f->cairo.surface_write_to_png_stream(f->surface, write_png, f), err));
    f->cairo.surface_finish(f->surface);
    COB_TRY(check(f, f->cairo.surface_status(f->surface), err));
    write_mark(f);
    COB_TRY(cob_file_commit(f->file, err));
done:
    return status;
}

void cob_figure_close(cob_figure *f)
{
    if (!f)
        return;
    if (f->cr)
        f->cairo.destroy(f->cr);
    if (f->surface)
        f->cairo.surface_destroy(f->surface);
    cob_file_close(f->file);
    cob_cairo_close(&f->cairo);
    cob_plain_end(f->plain);
    cob_free(f);
}

/* ---- ink ------------------------------------------------------------------------------------- */

void cob_colour(int colour, double *red, double *green, double *blue)
{
    uint32_t rgb = cob_palette(colour, false);
    *red = (rgb >> 16) / 255.0;
    *green = (rgb >> 8 & 255) / 255.0;
    *blue = (rgb & 255) / 255.0;
}

void cob_ink_colour(cob_figure *f, int colour, double alpha)
{
    double red, green, blue;
    cob_colour(colour, &red, &green, &blue);
    f->cairo.set_source_rgba(f->cr, red, green, blue, alpha);
}

void cob_ink_grey(cob_figure *f, double lightness)
{
    f->cairo.set_source_rgb(f->cr, lightness, lightness, lightness);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

void cob_draw_line(cob_figure *f, double x0, double y0, double x1, double y1, double width)
{
    f->cairo.set_line_width(f->cr, width);
    f->cairo.move_to(f->cr, x0, y0);
    f->cairo.line_to(f->cr, x1, y1);
    f->cairo.stroke(f->cr);
}

/* A regular polygon with its first corner at `angle`. */
static void polygon(cob_figure *f, double x, double y, double radius, int corners, double angle)
{
    for (int c = 0; c < corners; c++, angle += TURN / corners)
        f->cairo.line_to(f->cr, x + radius * cos(angle), y + radius * sin(angle));
    f->cairo.close_path(f->cr);
}

void cob_draw_marker(cob_figure *f, double x, double y, double radius, int shape)
{
    f->cairo.new_path(f->cr);
    switch ((unsigned)shape % 4) {
    case 0:
        f->cairo.arc(f->cr, x, y, radius, 0, TURN);
        break;
    case 1:
        polygon(f, x, y, radius * 1.25, 4, TURN / 8);
        break;
    case 2:
        polygon(f, x, y, radius * 1.4, 3, -TURN / 4);
        break;
    default:
        polygon(f, x, y, radius * 1.35, 4, 0);
    }
    f->cairo.fill(f->cr);
}

void cob_draw_ring(cob_figure *f, double x, double y, double radius, double width)
{
    f->cairo.set_line_width(f->cr, width);
    f->cairo.new_path(f->cr);
    f->cairo.arc(f->cr, x, y, radius, 0, TURN);
    f->cairo.stroke(f->cr);
}

void cob_draw_dashed(cob_figure *f, bool dashed)
{
    static const double dashes[2] = {3, 3};
    f->cairo.set_dash(f->cr, dashes, dashed ? 2 : 0, 0);
}

/* ---- text ------------------------------------------------------------------------------------ */

void cob_font(cob_figure *f, double size, bool bold)
{
    f->cairo.select_font_face(f->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                              bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    f->cairo.set_font_size(f->cr, size);
}

double cob_text_width(cob_figure *f, const char *text)
{
    cairo_text_extents_t extents = {0};
    f->cairo.text_extents(f->cr, text, &extents);
    return extents.x_advance;
}

void cob_draw_text(cob_figure *f, double x, double y, cob_align align, const char *text)
{
    cairo_text_extents_t small = {0};
    f->cairo.text_extents(f->cr, "x", &small);
    double share = align == COB_LEFT ? 0 : align == COB_CENTRE ? 0.5 : 1;
    f->cairo.move_to(f->cr, x - share * cob_text_width(f, text), y + small.height / 2);
    f->cairo.show_text(f->cr, text);
    f->cairo.new_path(f->cr);
}

void cob_draw_text_upwards(cob_figure *f, double x, double y, const char *text)
{
    f->cairo.save(f->cr);
    f->cairo.translate(f->cr, x, y);
    f->cairo.rotate(f->cr, -TURN / 4);
    cob_draw_text(f, 0, 0, COB_CENTRE, text);
    f->cairo.restore(f->cr);
}
