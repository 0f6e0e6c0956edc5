/* Axes with round numbers, and legends, for all charts.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_AXES_H
#define COB_REPORT_AXES_H

#include "report/charts.h"
#include "report/figure.h"

/* Sizes of text and lines that suit a column of a paper. */
#define COB_TICK_FONT 8.0
#define COB_TITLE_FONT 9.0
#define COB_HEAD_FONT 10.0
#define COB_THIN 0.6
#define COB_MARGIN 8.0

/* Whether a value can be drawn: finite and not absurdly large. */
bool cob_is_drawable(double value);

/* The smallest and largest value so far; start with cob_range_empty(). */
typedef struct cob_range {
    double low, high;
} cob_range;

cob_range cob_range_empty(void);
void cob_range_include(cob_range *range, double value);

/* Maps values to positions on the page. */
typedef struct cob_scale {
    double low, high;   /* values at the two ends */
    double start, end;  /* positions of the two ends */
    double first, step; /* ticks at first, first + step, ... */
    int ticks;
    int decimals, exponent; /* tick labels: decimals, in units of 10^exponent */
} cob_scale;

/* A scale for a range, with some margin on both sides and at most `most` ticks, at whole numbers
 * only if `whole`. An empty range gets a scale as well. The caller sets `start` and `end`. */
cob_scale cob_scale_for(cob_range range, int most, bool whole);

static inline double cob_position(const cob_scale *scale, double value)
{
    return scale->start +
           (value - scale->low) / (scale->high - scale->low) * (scale->end - scale->start);
}

/* The width of the widest tick label. */
double cob_tick_width(cob_figure *figure, const cob_scale *scale);

/* Draw an axis: grid lines across the plot, ticks with their labels, and the title. The y axis is
 * drawn at the start of `x`, the x axis at the start of `y`, with grid lines only if `lines`. */
void cob_draw_x_axis(cob_figure *figure, const cob_scale *x, const cob_scale *y, bool lines,
                     const char *title);
void cob_draw_y_axis(cob_figure *figure, const cob_scale *x, const cob_scale *y, const char *title,
                     double title_x);

/* The height of the space below an x axis. */
double cob_x_axis_height(const cob_scale *x, const char *title);

/* A legend in rows from the left to the right edge. Entries with a NULL name are left out; `key`
 * draws the symbol before the name, COB_LEGEND_KEY wide, centred at (x, y). Returns the height of
 * the legend; draws it only if `draw`. */
enum { COB_LEGEND_KEY = 20 };
typedef struct cob_legend {
    int count;
    const char *(*name)(const void *user, int entry);
    void (*key)(cob_figure *figure, const void *user, int entry, double x, double y);
    const void *user;
} cob_legend;

double cob_draw_legend(cob_figure *figure, const cob_legend *legend, double left, double right,
                       double top, bool draw);

/* Draws the chart's title, if there is one, at the top. The height includes the space below it. */
void cob_draw_head(cob_figure *figure, const char *title);
double cob_head_height(const char *title);

#endif
