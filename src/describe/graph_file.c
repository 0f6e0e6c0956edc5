/* Writing graphs of terms as Graphviz or GraphML files.
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"
#include "base/utf8.h"
#include "describe/describe.h"

/* ---- texts ----------------------------------------------------------------------------------- */

/* The length of the UTF-8 character at p; 0 if there is none, or one that XML does not allow. */
static size_t character(const unsigned char *p)
{
    uint32_t point = 0;
    size_t length = cob_utf8_next(p, COB_UTF8_LONGEST, &point);
    return point == 0xFFFE || point == 0xFFFF ? 0 : length;
}

/* Writes a text; escape(c) replaces c unless NULL. Control characters and bytes that are not UTF-8
 * become question marks. */
static void put_escaped(cob_file *file, const char *text, const char *(*escape)(char))
{
    const unsigned char *p = (const unsigned char *)text;
    while (*p) {
        size_t length = character(p);
        bool odd = length == 0 || (*p < ' ' && *p != '\t' && *p != '\n') || *p == 127;
        const char *special = odd ? "?" : length == 1 ? escape((char)*p) : NULL;
        if (special)
            cob_file_text(file, special);
        else
            cob_file_bytes(file, p, length);
        p += length > 0 ? length : 1;
    }
}

static const char *dot_escape(char c)
{
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : c == '\n' || c == '\t' ? " " : NULL;
}

static const char *xml_escape(char c)
{
    return c == '&'    ? "&amp;"
           : c == '<'  ? "&lt;"
           : c == '>'  ? "&gt;"
           : c == '"'  ? "&quot;"
           : c == '\'' ? "&apos;"
                       : NULL;
}

static void put_column(cob_file *file, const cobloc_matrix *matrix, int64_t col,
                       const char *(*escape)(char))
{
    const char *name = cobloc_matrix_col_name(matrix, col);
    if (name)
        put_escaped(file, name, escape);
    else
        cob_file_integer(file, col + 1);
}

/* ---- what is written ------------------------------------------------------------------------- */

typedef struct writing {
    cob_file *file;
    const cobloc_matrix *matrix;
    const cobloc_bloc *blocs;
    int from, to; /* clusters from .. to - 1 */
} writing;

/* A node is a cluster and a place in its list: a column of several blocs is several nodes. */
#define NODE "t%d_%d"

/* ---- Graphviz -------------------------------------------------------------------------------- */

static void dot_cluster(const writing *w, int c)
{
    const cobloc_bloc *b = &w->blocs[c];
    cob_file_print(w->file, "  subgraph cluster_%d {\n    label=\"%d: ", c, c);
    put_escaped(w->file, b->name, dot_escape);
    cob_file_text(w->file, "\";\n");
    for (int t = 0; t < b->graph_count; t++) {
        cob_file_print(w->file, "    " NODE " [label=\"", c, t);
        put_column(w->file, w->matrix, b->graph[t], dot_escape);
        cob_file_text(w->file, "\"];\n");
    }
    for (int e = 0; e < b->edge_count; e++) {
        const cobloc_edge *edge = &b->edges[e];
        cob_file_print(w->file,
                       "    " NODE " -- " NODE " [weight=%d, penwidth=%.2f, label=\"%.2f\"];\n", c,
                       edge->a, c, edge->b, 1 + (int)(99 * edge->cosine), 0.5 + 3 * edge->cosine,
                       edge->cosine);
    }
    cob_file_text(w->file, "  }\n");
}

static void write_dot(const writing *w)
{
    cob_file_text(w->file, "graph terms {\n  graph [fontname=\"Helvetica\"];\n"
                           "  node [shape=plaintext, fontname=\"Helvetica\"];\n"
                           "  edge [color=gray50, fontsize=9, fontname=\"Helvetica\"];\n");
    for (int c = w->from; c < w->to; c++)
        dot_cluster(w, c);
    cob_file_text(w->file, "}\n");
}

/* ---- GraphML --------------------------------------------------------------------------------- */

static void graphml_cluster(const writing *w, int c)
{
    const cobloc_bloc *b = &w->blocs[c];
    for (int t = 0; t < b->graph_count; t++) {
        cob_file_print(w->file, "    <node id=\"" NODE "\"><data key=\"term\">", c, t);
        put_column(w->file, w->matrix, b->graph[t], xml_escape);
        cob_file_print(w->file, "</data><data key=\"cluster\">%d</data><data key=\"name\">", c);
        put_escaped(w->file, b->name, xml_escape);
        cob_file_text(w->file, "</data></node>\n");
    }
    for (int e = 0; e < b->edge_count; e++) {
        cob_file_print(w->file,
                       "    <edge source=\"" NODE "\" target=\"" NODE "\"><data key=\"cosine\">", c,
                       b->edges[e].a, c, b->edges[e].b);
        cob_file_number(w->file, b->edges[e].cosine);
        cob_file_text(w->file, "</data></edge>\n");
    }
}

static void write_graphml(const writing *w)
{
    cob_file_text(w->file,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                  "  <key id=\"term\" for=\"node\" attr.name=\"term\" attr.type=\"string\"/>\n"
                  "  <key id=\"cluster\" for=\"node\" attr.name=\"cluster\" attr.type=\"int\"/>\n"
                  "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
                  "  <key id=\"cosine\" for=\"edge\" attr.name=\"cosine\" attr.type=\"double\"/>\n"
                  "  <graph id=\"terms\" edgedefault=\"undirected\">\n");
    for (int c = w->from; c < w->to; c++)
        graphml_cluster(w, c);
    cob_file_text(w->file, "  </graph>\n</graphml>\n");
}

/* ---- the file -------------------------------------------------------------------------------- */

cobloc_status cobloc_description_graph(const cobloc_description *d, const cobloc_matrix *matrix,
                                       int cluster, const char *path, cobloc_error *err)
{
    cobloc_status status = COBLOC_OK;
    writing w = {.matrix = matrix, .blocs = d->topics ? d->topics : d->blocs, .to = d->l};
    bool graphml = cob_path_ends(path, ".graphml");
    bool dot = cob_path_ends(path, ".dot") || cob_path_ends(path, ".gv");
    COB_CHECK(graphml || dot, COBLOC_BAD_ARGUMENT,
              "%s: the extension names no kind of graph; expected .dot, .gv or .graphml", path);
    COB_CHECK(cluster >= -1 && cluster < d->l, COBLOC_BAD_ARGUMENT,
              "there is no cluster %d: clusters are 0 to %d", cluster, d->l - 1);
    if (cluster >= 0) {
        w.from = cluster;
        w.to = cluster + 1;
    }
    COB_TRY(cob_file_create(path, &w.file, err));
    (graphml ? write_graphml : write_dot)(&w);
    COB_TRY(cob_file_commit(w.file, err));
done:
    cob_file_close(w.file);
    return status;
}
