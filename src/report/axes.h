/* Axes with round numbers, and legends: what all charts share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_AXES_H
#define COB_REPORT_AXES_H

#include "report/figure.h"

/* The sizes of text and lines that make a figure look right in a paper's column. */
#define COB_TICK_FONT 8.0
#define COB_TITLE_FONT 9.0
#define COB_HEAD_FONT 10.0
#define COB_THIN 0.6
#define COB_MARGIN 8.0

/* What can be drawn: neither undefined nor beyond measure. */
bool cob_is_drawable(double value);

/* The smallest and largest of values seen so far; start with cob_range_empty(). */
typedef struct cob_range {
    double low, high;
} cob_range;

cob_range cob_range_empty(void);
void cob_range_include(cob_range *range, double value);

/* From values to places on the paper. */
typedef struct cob_scale {
    double low, high;   /* values at the two ends */
    double start, end;  /* and their places */
    double first, step; /* the round numbers between: first, first + step, ... */
    int ticks;
    int decimals, exponent; /* they are written with so many decimals, in units of 10^exponent */
} cob_scale;

/* A scale for a range, with some room on both sides and at most `most` ticks. `whole`: ticks at
 * whole numbers only. An empty range gets a scale, too. The places are set by the caller. */
cob_scale cob_scale_for(cob_range range, int most, bool whole);

static inline double cob_position(const cob_scale *scale, double value)
{
    return scale->start +
           (value - scale->low) / (scale->high - scale->low) * (scale->end - scale->start);
}

/* The widest text at a tick, in the tick font. */
double cob_tick_width(cob_figure *figure, const cob_scale *scale);

/* Draw an axis: lines across the plot (if asked for) up to `across`, ticks and their numbers, the
 * title. The y axis stands at the start of `x`, the x axis below the start of `y`. */
void cob_draw_x_axis(cob_figure *figure, const cob_scale *x, const cob_scale *y, bool lines,
                     const char *title);
void cob_draw_y_axis(cob_figure *figure, const cob_scale *x, const cob_scale *y, const char *title,
                     double title_x);

/* How high the space below an x axis must be. */
double cob_x_axis_height(const cob_scale *x, const char *title);

/* A legend in rows from the left to the right edge. entry i with a NULL name is left out; `key`
 * draws what stands before the name, COB_LEGEND_KEY wide, around the middle (x, y). Returns the
 * height that it takes; draws only if data to. */
enum { COB_LEGEND_KEY = 20 };
typedef struct cob_legend {
    int count;
    const char *(*name)(const void *user, int entry);
    void (*key)(cob_figure *figure, const void *user, int entry, double x, double y);
    const void *user;
} cob_legend;

double cob_draw_legend(cob_figure *figure, const cob_legend *legend, double left, double right,
                       double top, bool draw);

/* The chart's title, if there is one, at the top; the space below it starts at its height. */
void cob_draw_head(cob_figure *figure, const char *title);
double cob_head_height(const char *title);

#endif
