/* Folders of 10x Genomics: matrix.mtx, genes by cells, with features.tsv (or genes.tsv) and
 * barcodes.tsv beside it, each of them gzip-compressed or not.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COB_IO_TENX_H
#define COB_IO_TENX_H

#include "base/names.h"
#include "io/options.h"

#include <stdbool.h>

bool cob_is_tenx(const char *path);

/* Reads such a folder: a row a cell, a column a gene, named by its symbol. A symbol that several
 * genes have is followed by their ids, after the first. */
cobloc_status cob_tenx_read(const char *path, const cobloc_io_options *options, cobloc_matrix **out,
                            cobloc_error *err);

/* The names of genes from their ids and symbols, of which there are as many, by the same rule. */
cobloc_status cob_tenx_names(const cob_names *ids, const cob_names *symbols, cob_names *names,
                             cobloc_error *err);

#endif
