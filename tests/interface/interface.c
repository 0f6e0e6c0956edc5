/* Prints docs/interface.md: all options and results by name, from the tables of the library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "compare/compare.h"
#include "ensemble/ensemble.h"
#include "io/options.h"
#include "report/charts.h"
#include "score/scores.h"
#include "simulate/simulate.h"
#include "text/options.h"

#include <stdio.h>
#include <string.h>

static const char *kind_name(const cob_named_field *f)
{
    static const char *const names[] = {"",           "integer",    "real",        "flag",
                                        "text",       "choice",     "int32 array", "int64 array",
                                        "real array", "text array", "group",       "list",
                                        "object",     "callback",   "communicator"};
    return names[f->kind];
}

static void print_default(const cob_named_field *f)
{
    if (f->kind == COBLOC_TEXT)
        printf("%s%s%s", f->usual_text ? "\"" : "", f->usual_text ? f->usual_text : "",
               f->usual_text ? "\"" : "");
    else if (f->kind == COBLOC_CHOICE)
        printf("%s", f->choices[(int)f->usual]);
    else if (f->kind <= COBLOC_FLAG && !isnan(f->usual))
        printf("%g", f->usual);
}

static void print_range(const cob_named_field *f)
{
    if (f->kind == COBLOC_CHOICE)
        for (int i = 0; f->choices[i]; i++)
            printf("%s%s", i ? ", " : "", f->choices[i]);
    else if (f->least < f->most)
        printf("%.15g to %.15g", f->least, f->most);
}

/* A bar would end the cell. */
static void print_help(const char *help)
{
    for (; *help; help++)
        printf(*help == '|' ? "\\|" : "%c", *help);
}

/* The rows of a table; those of groups and lists follow with the path to them in front. */
static void print_fields(const cob_type *type, bool options, const char *path)
{
    for (int i = 0; i < type->count; i++) {
        const cob_named_field *f = &type->fields[i];
        printf("| `%s%s` | %s | ", path, f->name, kind_name(f));
        if (options) {
            print_default(f);
            printf(" | ");
            print_range(f);
            printf(" | ");
        } else if (f->kind == COBLOC_CHOICE) {
            print_range(f);
            printf(": ");
        }
        print_help(f->help);
        printf(" |\n");
        if ((f->kind == COBLOC_GROUP || f->kind == COBLOC_LIST) && f->of->role == COB_PART) {
            char inside[128];
            snprintf(inside, sizeof inside, "%s%s%s.", path, f->name,
                     f->kind == COBLOC_LIST ? "[]" : "");
            print_fields(f->of, options, inside);
        }
    }
}

static void print_type(const char *name, const cob_type *type)
{
    bool options = type->role == COB_OPTIONS;
    printf("\n### %s\n\n", name);
    puts(options ? "| name | kind | default | values | meaning |\n|---|---|---|---|---|"
                 : "| name | kind | meaning |\n|---|---|---|");
    print_fields(type, options, "");
}

int main(void)
{
    static const struct {
        const char *name;
        const cob_type *type;
    } all[] = {
        {"cobloc_io_options", &cob_io_options_type},
        {"cobloc_text_options", &cob_text_options_type},
        {"cobloc_fit_options", &cob_fit_options_type},
        {"cobloc_predict_options", &cob_predict_options_type},
        {"cobloc_describe_options", &cob_describe_options_type},
        {"cobloc_select_options", &cob_select_options_type},
        {"cobloc_ensemble_options", &cob_ensemble_options_type},
        {"cobloc_compare_options", &cob_compare_options_type},
        {"cobloc_curves", &cob_curves_type},
        {"cobloc_boxes", &cob_boxes_type},
        {"cobloc_report", &cob_report_type},
        {"cobloc_simulation", &cob_simulation_type},
        {"cobloc_text_info", &cob_text_info_type},
        {"cobloc_labels", &cob_labels_type},
        {"cobloc_result", &cob_result_type},
        {"cobloc_fit_need", &cob_fit_need_type},
        {"cobloc_saved", &cob_saved_type},
        {"cobloc_prediction", &cob_prediction_type},
        {"cobloc_description", &cob_description_type},
        {"cobloc_selection", &cob_selection_type},
        {"cobloc_curve", &cob_curve_type},
        {"cobloc_consensus", &cob_consensus_type},
        {"cobloc_scores", &cob_scores_type},
        {"cobloc_coscores", &cob_coscores_type},
        {"cobloc_confusion", &cob_confusion_type},
        {"cobloc_paired_test", &cob_paired_test_type},
        {"cobloc_comparison", &cob_comparison_type},
        {"cobloc_truth", &cob_truth_type},
    };
    puts("# The interface by name\n\n"
         "Options are set and results are read by the names below; `cobloc/values.h` says how. A "
         "group or object has\nnames of its own, which are joined by a dot (`fit.restarts`); "
         "`list[]` stands for any element of a list\n(`blocs[0].name`).\n\n"
         "This page is printed from the library's own tables. To rewrite it:\n\n"
         "    cmake --build build --target interface_page\n\n## Options");
    bool results = false;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!results && all[i].type->role == COB_RESULT)
            puts("\n## Results");
        results = all[i].type->role == COB_RESULT;
        print_type(all[i].name, all[i].type);
    }
    return 0;
}
