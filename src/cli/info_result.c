/* cobloc info of a result: how it was made, and what there is of it.
 * SPDX-License-Identifier: MIT
 */
#include "reports.h"

#include <math.h>

/* "40, 30, 20, 10", of the first few. */
static void list_sizes(const cobloc_result *r, const char *path, char *text, size_t room)
{
    enum { MOST = 10 };
    int64_t count;
    const int64_t *sizes = cobloc_int64s(r, &count, "%s", path);
    size_t used = 0;
    for (int64_t i = 0; i < count && i < MOST && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%lld", i ? ", " : "",
                                 (long long)sizes[i]);
    if (count > MOST && used < room)
        snprintf(text + used, room - used, ", ...");
}

static void print(const cobloc_saved *saved, const char *path)
{
    const cobloc_result *r = cobloc_object(saved, "result");
    const char *input = cobloc_text(saved, "input");
    bool text = cobloc_text(saved, "text") != NULL;
    char sizes[256];
    cli_table *t = cli_table_new("ll");
    cli_say(stdout, "%s: a result of cobloc", path);
    cli_table_row(t, "made from", "%s%s",
                  input  ? input
                  : text ? "text"
                         : "a matrix in memory",
                  input && text ? " (text)" : "");
    cli_table_row(t, "model", "%s, inference %s, weight %s", cobloc_text(r, "model"),
                  cobloc_text(r, "inference"), cobloc_text(r, "weight"));
    list_sizes(r, "row_sizes", sizes, sizeof sizes);
    cli_table_row(t, "rows", "%lld in %lld cluster%s: %s", (long long)cobloc_int(r, "n"),
                  (long long)cobloc_int(r, "k"), cli_plural(cobloc_int(r, "k")), sizes);
    list_sizes(r, "col_sizes", sizes, sizeof sizes);
    cli_table_row(t, "columns", "%lld in %lld cluster%s: %s", (long long)cobloc_int(r, "d"),
                  (long long)cobloc_int(r, "l"), cli_plural(cobloc_int(r, "l")), sizes);
    cli_table_row(t, cobloc_text(r, "criterion_name"), "%.6g (%s)", cobloc_real(r, "criterion"),
                  cobloc_text(r, "stop"));
    if (!isnan(cobloc_real(r, "icl")))
        cli_table_row(t, "ICL", "%.6g", cobloc_real(r, "icl"));
    cli_table_row(t, "seed", "%lld, %lld start%s", (long long)cobloc_int(r, "seed"),
                  (long long)cobloc_int(r, "restarts"), cli_plural(cobloc_int(r, "restarts")));
    cli_table_print(t, stdout);
    putchar('\n');
    cli_say(stdout, "See 'cobloc describe %s' for what the blocs are about.", path);
}

static json_t *as_json(const cobloc_saved *saved, const char *path)
{
    json_t *object = cli_json_object(
        saved, "result.",
        "model weight inference k l n d nnz seed restarts criterion_name criterion iterations stop "
        "row_sizes col_sizes icl modularity explained_information");
    json_object_set_new(object, "kind", json_string("result"));
    json_object_set_new(object, "file", cli_json_text(path));
    json_object_set_new(object, "input", cli_json_value(saved, "input"));
    json_object_set_new(object, "text", json_boolean(cobloc_text(saved, "text") != NULL));
    return object;
}

void cli_info_result(const cli_args *args)
{
    cobloc_saved *saved = NULL;
    cli_must(cobloc_saved_read(args->words[0], &saved, &cli_error));
    if (cli_value(args, "json"))
        cli_print_json(as_json(saved, args->words[0]));
    else
        print(saved, args->words[0]);
    cobloc_saved_free(saved);
}
