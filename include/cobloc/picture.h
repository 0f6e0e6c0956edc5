/* cobloc: charts for papers, and pictures of a result.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COBLOC_PICTURE_H
#define COBLOC_PICTURE_H

#include "cobloc/report.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Charts for papers. The ending of the file's name says what it becomes: .svg, .pdf or .png. The
 * file appears under its name only when it is complete. Texts are UTF-8; lengths are points (1/72
 * inch); arrays are borrowed. The colours can be told apart with any kind of colour vision. */

/* A chart of curves: each is a "series" with its x and y, added with cobloc_append. */
typedef struct cobloc_curves cobloc_curves;
COBLOC_API cobloc_status cobloc_curves_new(cobloc_curves **out, cobloc_error *err);
COBLOC_API void cobloc_curves_free(cobloc_curves *curves);
COBLOC_API cobloc_status cobloc_plot_curves(const char *path, const cobloc_curves *curves,
                                            cobloc_error *err);

/* Box plots with every single value beside them: quartiles, the median, and whiskers to the last
 * value within 1.5 box lengths. Each of the "groups" has one value of each panel's kind in every
 * member: the runs of a method with their accuracy, NMI and ARI. Groups are added with
 * cobloc_append. */
typedef struct cobloc_boxes cobloc_boxes;
COBLOC_API cobloc_status cobloc_boxes_new(cobloc_boxes **out, cobloc_error *err);
COBLOC_API void cobloc_boxes_free(cobloc_boxes *boxes);
COBLOC_API cobloc_status cobloc_plot_boxes(const char *path, const cobloc_boxes *boxes,
                                           cobloc_error *err);

/* Pictures of a result, in the same kinds of files as above. */
typedef enum cobloc_picture {
    COBLOC_PICTURE_MATRIX = 0,  /* as it came, and in the order of the blocs */
    COBLOC_PICTURE_BLOCKS,      /* how many times fuller each block is than by chance */
    COBLOC_PICTURE_GRAPH,       /* the columns of each bloc that go together */
    COBLOC_PICTURE_CONVERGENCE, /* the criterion over the iterations of the best restart */
    COBLOC_PICTURE_RESTARTS,    /* what each restart reached */
    COBLOC_PICTURE_CURVE,       /* the sizes that a selection tried; needs the curve */
    COBLOC_PICTURE_CONFUSION,   /* classes by blocs; needs the truth */
    COBLOC_PICTURE_SECTIONS     /* socc: main, second and common columns side by side */
} cobloc_picture;

/* "matrix", "blocks", ...: 0 <= picture < cobloc_picture_count(). */
COBLOC_API int cobloc_picture_count(void);
COBLOC_API const char *cobloc_picture_name(cobloc_picture picture);

COBLOC_API cobloc_status cobloc_plot_result(const char *path, const cobloc_report *report,
                                            cobloc_picture picture, cobloc_error *err);

#ifdef __cplusplus
}
#endif

#endif
