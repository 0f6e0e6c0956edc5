#' Read a table or text
#'
#' Reads any input of the command line: a matrix in any of its formats (MatrixMarket, MATLAB, CSV, SciPy's
#' .npz, ...), which is recognised by its content; or text, whose terms are counted.
#'
#' @param path A file; or a folder of text files.
#' @param text How documents are stored, where the input is text: `"files"`, `"lines"`, `"jsonl"`,
#'   `"csv"` or `"smart"`. `"auto"`: as the content says, and a matrix where that is one.
#' @param values What the cells of a matrix hold: `"numbers"` or `"categories"`.
#' @param missing How to read cells without a value: `"zero"`, or `"ignore"`: as `NA`. `"auto"`:
#'   tables as 0, other formats do not take them.
#' @param format,variable Format of the file, and variable of a MATLAB file or path in an AnnData file, where need be.
#' @param progress Whether to show a progress bar.
#' @param ... For text: other options by their names, see `cobloc_options("text")`: `field`,
#'   `language`, `stem`, `min_df`, `vocabulary`, ...
#' @return A sparse matrix of class `dgCMatrix`, with names where there are any; for categories a data
#'   frame of factors. Known classes of the rows are its attribute `labels`; for text, what was
#'   counted its attribute `text`.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' dim(nations)
#' genes <- cobloc_read(system.file("extdata", "genes.csv", package = "cobloc"), text = "csv",
#'                      field = "text", name_field = "gene", label_field = "trait")
#' table(attr(genes, "labels"))
#' @export
cobloc_read <- function(path, text = "auto", values = "auto", missing = "auto", format = NULL,
                        variable = NULL, progress = FALSE, ...) {
  bar <- progress_bar(progress)
  on.exit(bar$close())
  answer <- check(.Call(r_read, path.expand(path),
                        list(format = format, variable = variable, missing = missing,
                             values = values),
                        list(corpus = text, ...), bar$report), match.call())
  x <- from_table(answer$table)
  if (!is.null(answer$table$labels)) attr(x, "labels") <- factor(answer$table$labels)
  if (!is.null(answer$text)) attr(x, "text") <- answer$text
  x
}

#' Simulate a table with known clusters
#'
#' Draws a sparse matrix from a latent block model: a cell of row cluster k and column cluster l is 1
#' with probability `parameters[k, l]`, or a Poisson count with the mean of the row's effect times the
#' column's effect times `parameters[k, l]`.
#'
#' @param preset The name of a simulation of the literature, see [cobloc_presets()]; what else is given
#'   changes it.
#' @param rows,cols Numbers of rows and columns.
#' @param k,l Numbers of row and column clusters. By default those of `parameters`.
#' @param parameters A matrix of k by l.
#' @param law `"poisson"` or `"bernoulli"`.
#' @param density Share of cells that is expected to be non-zero: the parameters are scaled to it.
#' @param seed Random seed; by default drawn from R's random numbers.
#' @param ... Other options, see `cobloc_options("simulation")`: `row_proportions`, `row_effects =
#'   list(kind = "gamma", mean = 5, shape = 2)`, ...
#' @return A list with `x`, a sparse matrix; `row_clusters` and `col_clusters`; `parameters`; for
#'   Poisson, `row_effects` and `col_effects`.
#' @examples
#' made <- cobloc_simulate(rows = 100, cols = 50, parameters = diag(0.6, 3) + 0.1,
#'                         law = "bernoulli", seed = 1)
#' cobloc_score(cobloc(made$x, k = 3, model = "lbm", seed = 1), made$row_clusters)
#' @export
cobloc_simulate <- function(preset = NULL, rows = NULL, cols = NULL, k = NULL, l = NULL,
                            parameters = NULL, law = NULL, density = NULL, seed = NULL, ...) {
  if (!is.null(parameters)) {
    if (!is.matrix(parameters)) parameters <- matrix(parameters, or(k, 1))
    k <- or(k, nrow(parameters))
    l <- or(l, ncol(parameters))
  }
  options <- c(list(law = law, rows = rows, cols = cols, k = k, l = l,
                    parameters = if (!is.null(parameters)) as.double(t(parameters)),
                    density = density, seed = draw_seed(seed)), list(...))
  answer <- check(.Call(r_simulate, preset, options, NULL), match.call())
  truth <- answer$truth
  list(x = from_table(answer$table), row_clusters = labels_out(truth$row_labels),
       col_clusters = labels_out(truth$col_labels), parameters = truth$parameters,
       row_effects = truth$row_effects, col_effects = truth$col_effects, law = truth$law)
}
