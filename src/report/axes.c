/* Axes and legends.
 * SPDX-License-Identifier: MIT
 */
#include "report/axes.h"

#include "base/plain.h"

#include <math.h>
#include <stdio.h>

static const double TICK = 3, GAP = 3, ROW = 13;

/* ---- ranges ---------------------------------------------------------------------------------- */

bool cob_is_drawable(double value)
{
    return isfinite(value) && fabs(value) < 1e300;
}

cob_range cob_range_empty(void)
{
    return (cob_range){INFINITY, -INFINITY};
}

void cob_range_include(cob_range *range, double value)
{
    if (!cob_is_drawable(value))
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

/* ---- round numbers --------------------------------------------------------------------------- */

/* The smallest of 1, 2, 2.5, 5 times a power of ten that needs at most `most` ticks. */
static double round_step(double length, int most, bool whole)
{
    static const double mantissas[] = {1, 2, 2.5, 5, 10};
    double power = pow(10, floor(log10(length / most)));
    double step = power * 10;
    for (int m = 4; m >= 0; m--)
        if (length / (power * mantissas[m]) <= most)
            step = power * mantissas[m];
    if (whole)
        step = fmax(1, ceil(step - 1e-9));
    return step;
}

/* The number of decimals that writes the step exactly. */
static int decimals_of(double step)
{
    int decimals = 0;
    for (double s = step; decimals < 12 && fabs(s - round(s)) > 1e-6 * s; decimals++)
        s *= 10;
    return decimals;
}

cob_scale cob_scale_for(cob_range range, int most, bool whole)
{
    double size = fmax(fabs(range.low), fabs(range.high));
    if (range.low > range.high)
        range = (cob_range){0, 1};
    else if (size < 1e-300)
        range = (cob_range){-1, 1};
    else if (range.high - range.low < 1e-9 * size)
        range = (cob_range){range.low - 0.05 * size, range.high + 0.05 * size};
    double room = 0.05 * (range.high - range.low);
    cob_scale s = {.low = range.low - room, .high = range.high + room};
    if (whole) { /* leave room beside a single whole number */
        s.low = fmin(s.low, range.low - 0.25);
        s.high = fmax(s.high, range.high + 0.25);
    }
    s.step = round_step(s.high - s.low, most, whole);
    s.first = ceil(s.low / s.step - 1e-9) * s.step;
    s.ticks = 1 + (int)floor((s.high - s.first) / s.step + 1e-9);
    size = fmax(fabs(s.low), fabs(s.high));
    if (size >= 1e5 || size < 1e-3)
        s.exponent = (int)floor(log10(size));
    s.decimals = decimals_of(s.step / pow(10, s.exponent));
    return s;
}

static void tick_text(const cob_scale *s, int tick, char text[40])
{
    double value = (s->first + tick * s->step) / pow(10, s->exponent);
    if (fabs(value) < 1e-9 * s->step / pow(10, s->exponent))
        value = 0;
    cob_plain_print(text, 40, "%s%.*f", value < 0 ? "\u2212" : "", s->decimals, fabs(value));
}

double cob_tick_width(cob_figure *f, const cob_scale *s)
{
    double widest = 0;
    cob_font(f, COB_TICK_FONT, false);
    for (int t = 0; t < s->ticks; t++) {
        char text[40];
        tick_text(s, t, text);
        widest = fmax(widest, cob_text_width(f, text));
    }
    return widest;
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* "×10" with a small raised exponent, starting or ending at x. */
static void draw_exponent(cob_figure *f, double x, double y, cob_align align, int exponent)
{
    char text[16];
    if (exponent == 0)
        return;
    snprintf(text, sizeof text, "%s%d", exponent < 0 ? "\u2212" : "",
             exponent < 0 ? -exponent : exponent);
    cob_font(f, COB_TICK_FONT, false);
    double base = cob_text_width(f, "\u00d710");
    cob_font(f, COB_TICK_FONT * 0.75, false);
    if (align == COB_RIGHT)
        x -= base + cob_text_width(f, text);
    cob_draw_text(f, x + base, y - 3, COB_LEFT, text);
    cob_font(f, COB_TICK_FONT, false);
    cob_draw_text(f, x, y, COB_LEFT, "\u00d710");
}

static const double AXIS_GREY = 0.25, GRID_GREY = 0.9;

void cob_draw_x_axis(cob_figure *f, const cob_scale *x, const cob_scale *y, bool lines,
                     const char *title)
{
    double base = y->start, numbers = base + TICK + GAP + COB_TICK_FONT / 2;
    cob_font(f, COB_TICK_FONT, false);
    for (int t = 0; t < x->ticks; t++) {
        char text[40];
        double at = cob_position(x, x->first + t * x->step);
        if (lines) {
            cob_ink_grey(f, GRID_GREY);
            cob_draw_line(f, at, base, at, y->end, COB_THIN);
        }
        cob_ink_grey(f, AXIS_GREY);
        cob_draw_line(f, at, base, at, base + TICK, COB_THIN);
        tick_text(x, t, text);
        cob_draw_text(f, at, numbers, COB_CENTRE, text);
    }
    cob_ink_grey(f, AXIS_GREY);
    cob_draw_line(f, x->start, base, x->end, base, COB_THIN);
    draw_exponent(f, x->end, numbers + COB_TICK_FONT + 4, COB_RIGHT, x->exponent);
    cob_ink_grey(f, 0);
    cob_font(f, COB_TITLE_FONT, false);
    if (title)
        cob_draw_text(f, (x->start + x->end) / 2, numbers + COB_TICK_FONT / 2 + ROW * 0.7,
                      COB_CENTRE, title);
}

double cob_x_axis_height(const cob_scale *x, const char *title)
{
    return TICK + GAP + COB_TICK_FONT + (title || x->exponent ? ROW + 2 : 0);
}

void cob_draw_y_axis(cob_figure *f, const cob_scale *x, const cob_scale *y, const char *title,
                     double title_x)
{
    double base = x->start;
    cob_font(f, COB_TICK_FONT, false);
    for (int t = 0; t < y->ticks; t++) {
        char text[40];
        double at = cob_position(y, y->first + t * y->step);
        cob_ink_grey(f, GRID_GREY);
        cob_draw_line(f, base, at, x->end, at, COB_THIN);
        cob_ink_grey(f, AXIS_GREY);
        cob_draw_line(f, base - TICK, at, base, at, COB_THIN);
        tick_text(y, t, text);
        cob_draw_text(f, base - TICK - GAP, at, COB_RIGHT, text);
    }
    cob_ink_grey(f, AXIS_GREY);
    cob_draw_line(f, base, y->start, base, y->end, COB_THIN);
    draw_exponent(f, base - TICK, y->end - COB_TICK_FONT, COB_LEFT, y->exponent);
    cob_ink_grey(f, 0);
    cob_font(f, COB_TITLE_FONT, false);
    if (title)
        cob_draw_text_upwards(f, title_x, (y->start + y->end) / 2, title);
}

/* ---- legend and title ------------------------------------------------------------------------ */

double cob_draw_legend(cob_figure *f, const cob_legend *legend, double left, double right,
                       double top, bool draw)
{
    double x = left, y = top;
    bool any = false;
    cob_font(f, COB_TICK_FONT, false);
    for (int e = 0; e < legend->count; e++) {
        const char *name = legend->name(legend->user, e);
        if (!name)
            continue;
        double width = COB_LEGEND_KEY + 4 + cob_text_width(f, name) + 12;
        if (any && x + width - 12 > right) {
            x = left;
            y += ROW;
        }
        any = true;
        if (draw) {
            legend->key(f, legend->user, e, x + COB_LEGEND_KEY / 2.0, y + ROW / 2);
            cob_ink_grey(f, 0);
            cob_draw_text(f, x + COB_LEGEND_KEY + 4, y + ROW / 2, COB_LEFT, name);
        }
        x += width;
    }
    return any ? y + ROW + 4 - top : 0;
}

void cob_draw_head(cob_figure *f, const char *title)
{
    if (!title)
        return;
    cob_ink_grey(f, 0);
    cob_font(f, COB_HEAD_FONT, true);
    cob_draw_text(f, f->width / 2, COB_MARGIN + COB_HEAD_FONT / 2, COB_CENTRE, title);
}

double cob_head_height(const char *title)
{
    return title ? COB_MARGIN + COB_HEAD_FONT + 8 : COB_MARGIN;
}
