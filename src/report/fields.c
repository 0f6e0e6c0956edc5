/* What charts and reports are made of.
 * SPDX-License-Identifier: MIT
 */
#include "report/charts.h"

#define S cobloc_series
static const cob_named_field series[] = {
    COB_TEXT(name, "Its name in the legend; NULL: not there."),
    COB_REALS(x, count, "The points, joined in their order; one that is not finite is a gap."),
    COB_REALS(y, count, "As many as x."),
    COB_REALS(errors, count, "An error bar from y - error to y + error; as many as x, or none."),
    COB_FLAG(points_only, "Points are not joined."),
};
static const cob_type series_type = COB_TYPE("a series", COB_PART, series);
#undef S

#define S cobloc_curves
static const cob_named_field curves[] = {
    COB_LIST(series, count, series_type, "The curves."),
    COB_TEXT(title, "Title; default none."),
    COB_TEXT(x_title, "Title of the horizontal axis; default none."),
    COB_TEXT(y_title, "Title of the vertical axis; default none."),
    COB_REAL(marked_x, "A vertical line at this x; default none.", COB_USUAL(NAN)),
    COB_TEXT(marked_label, "A label above that line; default none."),
    COB_REAL(width, "Width in points (1/72 inch).", COB_RANGE(0, 100000, 360)),
    COB_REAL(height, "Height in points.", COB_RANGE(0, 100000, 240)),
};
const cob_type cob_curves_type = COB_TYPE("the curves", COB_OPTIONS, curves);
#undef S

#define S cobloc_box_group
static const cob_named_field box_group[] = {
    COB_TEXT(name, "Its name, beside its boxes; neighbours of the same name share it."),
    COB_INT(colour, "Number of a colour of the palette, from 0.", COB_RANGE(0, 1000, 0)),
    COB_INT(count, "Values in each panel.", COB_FROM_0(0)),
    COB_REALS(values, value_count,
              "Panels by count: all values of the first panel, then of the "
              "second; one that is not finite is left out."),
};
static const cob_type box_group_type = COB_TYPE("a group of boxes", COB_PART, box_group);
#undef S

#define S cobloc_boxes
static const cob_named_field boxes[] = {
    COB_LIST(groups, count, box_group_type, "The groups, from top to bottom."),
    COB_INT(panels, "Panels, from left to right.", COB_RANGE(1, 100, 1)),
    COB_TEXTS(panel_names, panel_name_count, "Names below the axes of the panels; default none."),
    COB_TEXTS(colour_names, colour_count, "What the colours mean, in a legend; default none."),
    COB_TEXT(title, "Title; default none."),
    COB_REAL(width, "Width in points (1/72 inch); 0: as needed.", COB_RANGE(0, 100000, 0)),
    COB_REAL(height, "Height in points; 0: as needed.", COB_RANGE(0, 100000, 0)),
};
const cob_type cob_boxes_type = COB_TYPE("the boxes", COB_OPTIONS, boxes);
#undef S

#define S cobloc_report
static const cob_named_field report[] = {
    COB_OBJECT(matrix, NULL, "The matrix that was fitted, as it came; must be set."),
    COB_OBJECT(result, &cob_result_type, "The result; must be set."),
    COB_OBJECT(description, &cob_description_type, "Its description; by default it is made."),
    COB_OBJECT(curve, &cob_curve_type, "The sizes that a selection tried; see cobloc_curve_read."),
    COB_OBJECT(other, &cob_result_type,
               "Another result for the same matrix, to see which rows moved."),
    COB_OBJECT(map, &cob_map_type,
               "Where the rows are in the plane; by default it is made, of up to 50000 rows."),
    COB_FLAG(no_map, "Leave out the map."),
    COB_FLAG(map_cols, "Map the columns as well; up to 2000 of them are always mapped."),
    COB_INT(samples, "Samples of the rows that are fitted for the stability of the blocs, 10 say.",
            COB_RANGE(0, 1000, 0)),
    COB_INTS(truth, truth_count, "Known class of each row; -1: unknown."),
    COB_TEXTS(class_names, class_count, "Names of the classes; default: their numbers."),
    COB_FLAG(density_only, "Show the density of the matrix instead of single entries, which makes "
                           "the page smaller. Always so above about 10 MB of entries."),
    COB_TEXTS(names, name_count,
              "Names of blocs, as the page saves them: the clusters of a bloc, a tab, its name, as "
              "in \"0+5\tAfrica\". By default their most telling terms."),
    COB_TEXTS(by, by_count,
              "A value of each row, such as a date or a source, to show the blocs over; dates as "
              "2024, 2024-05, 2024-05-31 or in mail."),
    COB_TEXT(by_field, "The same from the matrix: a field of its text, or class. In the page, it "
                       "names what by holds."),
    COB_TEXT(title, "Title."),
    COB_TEXT(row_word, "What the rows are, in the plural, such as countries. By default rows, or "
                       "documents for text."),
    COB_TEXT(col_word, "What the columns are, such as organisations. By default columns, or terms "
                       "for text."),
};
const cob_type cob_report_type = COB_TYPE("the report", COB_OPTIONS, report);
#undef S

COB_DEFINE_OPTIONS(curves)
COB_DEFINE_OPTIONS(boxes)
COB_DEFINE_OPTIONS(report)
