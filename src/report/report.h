/* The page: what report.c puts around what facts.c tells, and the texts that are made of
 * src/report/page when the library is built.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_REPORT_REPORT_H
#define COB_REPORT_REPORT_H

#include "report/page_json.h"
#include "report/data.h"

/* The page in three parts: the title stands between the first two, the data between the last. */
extern const unsigned char cob_page_head[], cob_page_body[], cob_page_end[];
extern const size_t cob_page_head_size, cob_page_body_size, cob_page_end_size;

/* All but the entries and the names, as one JSON object. */
cobloc_status cob_write_facts(const cob_report_data *data, cob_file *file, cobloc_error *err);

/* What each bloc is about: a part of that. */
cobloc_status cob_page_about(cob_page_json *json, const cob_report_data *data, cobloc_error *err);

#endif
