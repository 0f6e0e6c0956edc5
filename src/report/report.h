/* The page of a report. cob_page_* are its fixed parts, made from src/report/page at build time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_REPORT_H
#define COB_REPORT_REPORT_H

#include "report/page_json.h"
#include "report/data.h"

/* The page in three parts: the title goes between the first two, the data between the last two. */
extern const unsigned char cob_page_head[], cob_page_body[], cob_page_end[];
extern const size_t cob_page_head_size, cob_page_body_size, cob_page_end_size;

/* Everything but the entries and names, as one JSON object. */
cobloc_status cob_write_facts(const cob_report_data *data, cob_file *file, cobloc_error *err);

/* Everything that follows the number of blocs, as part of that object. `whole`: the result that
 * this one was cut from; NULL: it is whole. */
cobloc_status cob_page_level(cob_page_json *json, const cob_report_data *data,
                             const cobloc_result *whole, cobloc_error *err);

/* The report's result cut into k blocs or, above its own number, a size that its selection kept. */
cobloc_status cob_level_of(const cobloc_report *report, int k, cobloc_result **out,
                           cobloc_error *err);

/* What follows the number of blocs at this level, as an object of its own. */
cobloc_status cob_write_level(const cobloc_report *whole, const cobloc_result *level,
                              cob_file *file, cobloc_error *err);

/* The number of larger sizes that the page has. */
static inline int cob_larger_count(const cobloc_report *report)
{
    return report->curve && report->result->merges ? report->curve->larger_count : 0;
}

/* What each bloc is about, as part of that object. */
cobloc_status cob_page_about(cob_page_json *json, const cob_report_data *data, cobloc_error *err);

#endif
