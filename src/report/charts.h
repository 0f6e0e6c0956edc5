/* What charts and reports are made of; report/fields.c says what each field means.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_CHARTS_H
#define COB_REPORT_CHARTS_H

#include "describe/description.h"
#include "map/map.h"
#include "select/selection.h"

typedef struct cobloc_series {
    const char *name;
    int count;
    const double *x, *y, *errors;
    int points_only;
} cobloc_series;

struct cobloc_curves {
    cob_object head;
    int count;
    const cobloc_series *series;
    const char *title, *x_title, *y_title;
    double marked_x;
    const char *marked_label;
    double width, height;
};

typedef struct cobloc_box_group {
    const char *name;
    int colour;
    int count;
    const double *values;
    int value_count; /* 0: the caller knows that there are panels by count */
} cobloc_box_group;

struct cobloc_boxes {
    cob_object head;
    int count;
    const cobloc_box_group *groups;
    int panels;
    const char *const *panel_names;
    int panel_name_count; /* 0: the caller knows that they are as many as panels */
    int colour_count;
    const char *const *colour_names;
    const char *title;
    double width, height;
};

struct cobloc_report {
    cob_object head;
    const cobloc_matrix *matrix;
    const cobloc_result *result;
    const cobloc_description *description;
    const cobloc_curve *curve;
    const int32_t *truth;
    int64_t truth_count; /* 0: the caller knows that it fits the matrix */
    const char *const *class_names;
    int class_count; /* 0: the caller knows that there is a name for every class */
    const cobloc_map *map;
    const cobloc_result *other;
    int density_only, no_map, map_cols, samples;
    const char *title, *row_word, *col_word, *by_field;
    const char *const *names, *const *by;
    int name_count;
    int64_t by_count;
};

extern const cob_type cob_curves_type, cob_boxes_type, cob_report_type;

void cob_curves_default(cobloc_curves *curves);
void cob_boxes_default(cobloc_boxes *boxes);
void cob_report_default(cobloc_report *report);

#endif
