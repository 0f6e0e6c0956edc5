# Tables of R as the library takes them, and back.

# A table as compressed columns, compressed rows or triples: what matrix_from_r in C reads.
# Rows and columns are counted from 0 there.
as_table <- function(x) UseMethod("as_table")

as_table.default <- function(x) {
  if (methods::is(x, "Matrix")) return(table_of_matrix(x))
  if (inherits(x, "table") || is.array(x)) return(as_table.matrix(unclass(x)))
  bad_argument("x is a ", class(x)[1], ", expected a matrix, a data frame, a sparse matrix of ",
               "'Matrix', a dfm of 'quanteda' or a DocumentTermMatrix of 'tm'")
}

table_of <- function(layout, rows, cols, i, p, x, names, categories = NULL) {
  list(layout = layout, rows = rows, cols = cols, i = i, p = p, x = x,
       row_names = line_names(names[[1]], rows), col_names = line_names(names[[2]], cols),
       categories = categories)
}

line_names <- function(names, count) {
  if (is.null(names) || count == 0) return(NULL)
  names <- as.character(names)
  names[is.na(names)] <- ""
  names
}

# Sparse matrices of 'Matrix'; quanteda's dfm is one of them.
table_of_matrix <- function(x) {
  names <- dimnames(x)
  if (methods::is(x, "dgRMatrix")) {
    return(table_of("rows", nrow(x), ncol(x), x@j, x@p, x@x, names))
  }
  if (!methods::is(x, "dgCMatrix")) {
    x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  }
  table_of("columns", nrow(x), ncol(x), x@i, x@p, x@x, names)
}

# tm's DocumentTermMatrix and TermDocumentMatrix, slam's simple_triplet_matrix.
as_table.simple_triplet_matrix <- function(x) {
  table_of("triples", x$nrow, x$ncol, as.integer(x$i) - 1L, as.integer(x$j) - 1L,
           as.double(x$v), if (is.null(x$dimnames)) list(NULL, NULL) else unname(x$dimnames))
}

as_table.matrix <- function(x) {
  if (is.character(x)) return(table_of_words(as.data.frame(x, stringsAsFactors = FALSE)))
  if (!is.numeric(x) && !is.logical(x)) {
    bad_argument("the matrix is of type ", typeof(x), ", expected numbers")
  }
  names <- if (is.null(dimnames(x))) list(NULL, NULL) else dimnames(x)
  filled <- which(is.na(x) | x != 0)
  table_of("triples", nrow(x), ncol(x), as.integer((filled - 1) %% nrow(x)),
           as.integer((filled - 1) %/% nrow(x)), as.double(x[filled]), names)
}

# Numbers, or words that are categories. A first column of words beside numbers names the rows.
as_table.data.frame <- function(x) {
  is_number <- vapply(x, function(column) is.numeric(column) || is.logical(column), NA)
  if (length(x) > 1 && !is_number[1] && all(is_number[-1])) {
    names <- as.character(x[[1]])
    x <- x[-1]
    is_number <- is_number[-1]
  } else {
    names <- if (.row_names_info(x) > 0) row.names(x)
  }
  if (!any(is_number) && length(x) > 0) return(table_of_words(x, names))
  if (!all(is_number)) {
    bad_argument("the data frame has columns of numbers and of words (",
                 paste(utils::head(names(x)[!is_number], 3), collapse = ", "),
                 "); expected one of the two")
  }
  as_table.matrix(matrix(as.double(unlist(x, use.names = FALSE)), nrow(x), length(x),
                         dimnames = list(names, names(x))))
}

# Words as codes: 0 for the most frequent, then by frequency, ties by the alphabet (of bytes).
table_of_words <- function(x, names = if (.row_names_info(x) > 0) row.names(x)) {
  words <- enc2utf8(unlist(lapply(x, as.character), use.names = FALSE))
  counts <- table(words)
  categories <- names(counts)[order(-counts, names(counts), method = "radix")]
  codes <- matrix(match(words, categories) - 1, nrow(x), length(x),
                  dimnames = list(names, names(x)))
  table <- as_table.matrix(codes)
  table$categories <- categories
  table
}

# What matrix_to_r in C made, as a sparse matrix, or as factors where there are categories.
from_table <- function(table) {
  x <- methods::new("dgCMatrix", i = table$i, p = table$p, x = table$x,
                    Dim = c(table$rows, table$cols),
                    Dimnames = list(table$row_names, table$col_names))
  if (is.null(table$categories)) return(x)
  codes <- as.matrix(x)
  as.data.frame(lapply(seq_len(ncol(codes)), function(j) {
    factor(table$categories[codes[, j] + 1], levels = table$categories)
  }), col.names = if (is.null(table$col_names)) paste0("V", seq_len(ncol(codes))) else table$col_names,
  row.names = table$row_names, check.names = FALSE, optional = TRUE)
}
