# What R's generics say about a fit.

#' Print and summarise a fit
#'
#' @param x,object A fit of [cobloc()].
#' @param terms Number of columns, and of rows, to show of each bloc.
#' @param digits Significant digits.
#' @param ... Not used.
#' @return `print` returns `x`, invisibly. `summary` returns an object of class `summary.cobloc`
#'   with a data frame `blocs` (sizes and examples), the parameters with their standard errors, and
#'   what else is known of the fit.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' summary(cobloc(nations, k = 6, model = "lbm", seed = 1))
#' @export
print.cobloc <- function(x, terms = 4, digits = 5, ...) {
  cat(fit_title(x), "\n", sep = "")
  cat(sprintf("%s: %s%s\n", x$criterion_name, format(x$criterion, digits = digits), fit_end(x)))
  if (nzchar(x$size_summary)) cat(strwrap(x$size_summary), sep = "\n")
  cat("\n")
  print(bloc_frame(x, terms), row.names = FALSE, right = FALSE)
  invisible(x)
}

fit_title <- function(x) {
  sprintf("%s of %d rows and %d columns by %s%s%s: %d x %d clusters",
          if (inherits(x, "cobloc_ensemble")) "Consensus co-clustering" else "Co-clustering",
          x$n, x$d, x$model,
          if (x$weight == "none") "" else paste0(" (", x$weight, ")"),
          if (x$inference == "hard") "" else paste0(", ", x$inference), x$k, x$l)
}

fit_end <- function(x) {
  paste0(", ", plural(x$iterations, "iteration"),
         if (x$stop == "converged") "" else paste0(" (stopped: ", x$stop, ")"))
}

# A line for each bloc (paired clusters), or for each row cluster.
bloc_frame <- function(x, terms) {
  rows <- members(x$row_clusters, x$row_sums, x$k, terms)
  if (x$k == x$l && is_diagonal(x)) {
    return(data.frame(bloc = bloc_names(x$k), rows = unname(x$row_sizes),
                      columns = unname(x$col_sizes), `largest rows` = rows,
                      `largest columns` = members(x$col_clusters, x$col_sums, x$l, terms),
                      check.names = FALSE, stringsAsFactors = FALSE))
  }
  data.frame(cluster = c(paste("row", bloc_names(x$k)), paste("column", names(x$col_sizes))),
             size = unname(c(x$row_sizes, x$col_sizes)),
             `largest members` = c(rows, members(x$col_clusters, x$col_sums, x$l, terms)),
             check.names = FALSE, stringsAsFactors = FALSE)
}

is_diagonal <- function(x) {
  models <- cobloc_models()
  isTRUE(models$diagonal[match(x$model, models$model)])
}

# The members with the largest sums, by name or number.
members <- function(clusters, sums, count, most) {
  names <- if (is.null(names(clusters))) seq_along(clusters) else names(clusters)
  order <- order(-sums)
  vapply(seq_len(count), function(cluster) {
    inside <- order[which(clusters[order] == cluster)]
    shown <- utils::head(names[inside], most)
    paste0(paste(shown, collapse = ", "), if (length(inside) > most) ", ...")
  }, "")
}

#' @rdname print.cobloc
#' @export
summary.cobloc <- function(object, terms = 4, ...) {
  structure(class = "summary.cobloc", list(
    fit = object, blocs = bloc_frame(object, terms),
    coefficients = coef.cobloc(object),
    measures = c(criterion = object$criterion, icl = object$icl,
                 log_likelihood = object$log_likelihood, modularity = object$modularity,
                 explained_information = object$explained_information)))
}

#' @rdname print.cobloc
#' @export
print.summary.cobloc <- function(x, digits = 5, ...) {
  fit <- x$fit
  cat(fit_title(fit), "\n", sep = "")
  cat(sprintf("seed %.0f, best of %s%s\n\n", fit$seed, plural(fit$restarts, "start"), fit_end(fit)))
  print(x$blocs, row.names = FALSE, right = FALSE)
  cat("\n")
  shown <- x$measures[is.finite(x$measures)]
  names(shown)[1] <- fit$criterion_name
  print(shown, digits = digits)
  if (nrow(x$coefficients)) {
    cat("\nParameters of the blocks:\n")
    print(x$coefficients, digits = digits, row.names = FALSE, max = 400)
  }
  invisible(x)
}

#' Likelihood and criteria of a fit
#'
#' @param object A fit of [cobloc()].
#' @param ... Not used.
#' @details
#' `logLik` is the complete log-likelihood of the clusters that were found: classification
#' likelihood, since the observed one of a block model cannot be computed. It counts the free
#' parameters (`df`), proportions of the clusters included, and the cells (`nobs`), from which
#' [stats::BIC()] and [stats::AIC()] follow, smaller ones being better. `ICL` is the integrated
#' completed likelihood in the form of the library, larger ones being better, with a penalty of its
#' own for rows, columns and cells; it is what sizes should be compared by. All are `NA`, with an
#' error from `logLik`, for methods without a likelihood.
#' @return `logLik`: an object of class `logLik`. `ICL`: a number.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' fits <- lapply(4:6, function(k) cobloc(nations, k, "lbm", seed = 1))
#' sapply(fits, ICL)
#' sapply(fits, BIC)
#' @export
logLik.cobloc <- function(object, ...) {
  if (is.nan(object$log_likelihood)) {
    bad_argument("the model ", object$model, " has no likelihood")
  }
  structure(object$log_likelihood, df = object$free_parameters, nobs = stats::nobs(object),
            class = "logLik")
}

#' @rdname logLik.cobloc
#' @export
nobs.cobloc <- function(object, ...) {
  sum(!is.na(object$row_clusters)) * as.double(sum(!is.na(object$col_clusters)))
}

#' @rdname logLik.cobloc
#' @export
ICL <- function(object, ...) UseMethod("ICL")

#' @rdname logLik.cobloc
#' @export
ICL.cobloc <- function(object, ...) object$icl

#' Parameters of the blocks, with standard errors
#'
#' @param object A fit of [cobloc()].
#' @param ... Not used.
#' @details
#' Standard errors take the clusters as known: they are those of a mean of independent cells, and
#' too small where clusters are uncertain. Poisson models (`plbm`, `splbm`): a rate over the
#' square root of the count that it rests on, for unweighted counts. `lbm`: of a share.
#' `glbm`: of a mean and of a variance. `clbm`: of shares. Other models have parameters that are not
#' estimates in this sense; their errors are `NA`.
#' @return A data frame with the row cluster, the column cluster, the parameter's name where there are
#'   several, the estimate and its standard error; no lines for methods without parameters.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' coef(cobloc(nations, k = 3, model = "lbm", seed = 1))
#' @export
coef.cobloc <- function(object, ...) {
  p <- object$parameters
  if (is.null(p)) {
    return(data.frame(row = integer(), column = character(), estimate = numeric(), se = numeric()))
  }
  tables <- if (length(dim(p)) == 3) dim(p)[3] else 1
  frame <- data.frame(row = rep(seq_len(object$k), object$l * tables),
                      column = rep(rep(colnames(p), each = object$k), tables),
                      stringsAsFactors = FALSE)
  if (tables > 1) frame$parameter <- rep(dimnames(p)[[3]], each = object$k * object$l)
  frame$estimate <- as.vector(p)
  frame$se <- as.vector(standard_errors(object))
  frame
}

standard_errors <- function(object) {
  p <- object$parameters
  cells <- outer(unname(object$row_sizes), unname(object$col_sizes))
  unweighted <- object$weight == "none" && all(object$row_sums == floor(object$row_sums))
  none <- p * NA
  switch(object$model,
    plbm = if (unweighted) p / sqrt(object$blocks) else none,
    splbm = , `splbm-exact` = if (unweighted) diagonal_errors(object) else none,
    lbm = sqrt(p * (1 - p) / cells),
    clbm = sqrt(p * (1 - p) / as.vector(cells)),
    glbm = array(c(sqrt(p[, , 2] / cells), p[, , 2] * sqrt(2 / cells)), dim(p)),
    none)
}

# Off the diagonal, all blocks share one rate, which rests on all their counts.
diagonal_errors <- function(object) {
  p <- object$parameters
  inside <- diag(object$k) == 1
  p / sqrt(ifelse(inside, object$blocks, sum(object$blocks[!inside])))
}

#' Fitted values and residuals
#'
#' What the clusters and the blocks say that a cell holds.
#'
#' @param object A fit of [cobloc()].
#' @param rows,cols Which rows and columns: numbers, names or logicals. By default all: take care
#'   with large tables, since the answer has a value for each cell.
#' @param ... Not used.
#' @details
#' Models of counts and modularity (`coclus`, `splbm`, `plbm`, `socc`, `itcc` and others that use
#' the margins) expect a cell to be the product of the margins of its row and column, times what
#' its block holds over the product of the block's margins; so sums of rows and columns are kept.
#' Bernoulli, Gaussian and factorising models expect the mean of the block, `clbm` its most frequent
#' category. Where entries were weighted, fitted values are of weighted entries.
#' @return A matrix; rows and columns without a cluster are `NA`.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' fit <- cobloc(nations, k = 6, model = "lbm", seed = 1)
#' round(fitted(fit, c("France", "Kenya"), c("NATO", "AU", "G77")), 2)
#' @export
fitted.cobloc <- function(object, rows = NULL, cols = NULL, ...) {
  i <- if (is.null(rows)) seq_len(object$n) else positions(object$row_clusters, rows)
  j <- if (is.null(cols)) seq_len(object$d) else positions(object$col_clusters, cols)
  k <- object$row_clusters[i]
  l <- object$col_clusters[j]
  names <- list(names(k), names(l))
  if (object$model == "clbm") {
    likely <- apply(object$parameters, c(1, 2), which.max)
    words <- sub("^p\\((.*)\\)$", "\\1", dimnames(object$parameters)[[3]])
    return(matrix(words[likely[cbind(rep(k, length(l)), rep(l, each = length(k)))]], length(k),
                  dimnames = names))
  }
  value <- block_values(object)[k, l, drop = FALSE]
  if (uses_margins(object)) value <- value * outer(object$row_sums[i], object$col_sums[j])
  dimnames(value) <- names
  value
}

uses_margins <- function(object) {
  !object$model %in% c("lbm", "dlbm1", "dlbm2", "dlbm3", "glbm", "clbm", "block", "fnmtf", "onmtf",
                       "nmf", "nmf-mu", "nmf-kl", "kmeans", "skmeans", "bmm", "dcc")
}

# Of a cell, over the product of its margins where these count.
block_values <- function(object) {
  if (object$model == "glbm") return(object$parameters[, , 1])
  if (object$model == "lbm") return(object$parameters)
  blocks <- object$blocks
  blocks <- blocks * sum(object$row_sums) / sum(blocks)
  if (!uses_margins(object)) return(blocks / outer(object$row_sizes, object$col_sizes))
  blocks / outer(cluster_sums(object$row_sums, object$row_clusters, object$k),
                 cluster_sums(object$col_sums, object$col_clusters, object$l))
}

cluster_sums <- function(sums, clusters, count) {
  as.vector(tapply(sums, factor(clusters, levels = seq_len(count)), sum))
}

positions <- function(clusters, which) {
  if (!is.character(which)) return(seq_along(clusters)[which])
  found <- match(which, names(clusters))
  if (anyNA(found)) bad_argument("there is no line named '", which[is.na(found)][1], "'")
  found
}

#' Place new rows
#'
#' Puts rows into the clusters of a fit, by the rule that its own rows chose by last.
#'
#' @param object A fit of [cobloc()].
#' @param newdata A table with the new rows, of any kind that [cobloc()] takes. Columns are matched by
#'   name where both have names. By default the rows that were fitted.
#' @param type `"cluster"`: the cluster of each row. `"probabilities"`: those of all clusters, where
#'   the model has them. `"scores"`: what each row chooses by.
#' @param ... Options: `row_effects`, `threads`.
#' @return A vector of clusters, `NA` for rows without an entry in a known column; or a matrix with a
#'   column for each cluster. The attribute `unknown_share` says how much of the new rows is in
#'   columns that were not fitted.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' fit <- cobloc(nations[-(1:5), ], k = 6, model = "lbm", seed = 1)
#' predict(fit, nations[1:5, ])
#' @export
predict.cobloc <- function(object, newdata = NULL, type = c("cluster", "probabilities", "scores"),
                           ...) {
  type <- match.arg(type)
  if (is.null(newdata)) newdata <- object$x
  table <- as_table(newdata)
  options <- list(...)
  if (type == "scores") options$scores <- TRUE
  answer <- check(.Call(r_predict, object$saved, table, options), sys.call())
  value <- switch(type,
    cluster = labels_out(answer$labels, table$row_names),
    probabilities = with_names(answer$probabilities, table$row_names, bloc_names(object$k)),
    scores = with_names(answer$scores, table$row_names, bloc_names(object$k)))
  if (is.null(value)) bad_argument("the model ", object$model, " has no ", type)
  attr(value, "unknown_share") <- if (answer$unknown_cols > 0) answer$unknown_share
  value
}

#' Clusters as a data frame
#'
#' @param x A fit of [cobloc()].
#' @param row.names,optional As in [as.data.frame()].
#' @param side Which lines: rows, columns, or both below each other.
#' @param ... Not used.
#' @return A data frame with the side, the name (or number), the cluster and, where there are
#'   probabilities, that of the cluster.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' head(as.data.frame(cobloc(nations, k = 6, model = "coclus", seed = 1)))
#' @export
as.data.frame.cobloc <- function(x, row.names = NULL, optional = FALSE,
                                 side = c("both", "rows", "columns"), ...) {
  side <- match.arg(side)
  frames <- list(rows = side_frame("row", x$row_clusters, x$row_probabilities),
                 columns = side_frame("column", x$col_clusters, x$col_probabilities))
  frame <- if (side == "both") bind(frames$rows, frames$columns) else frames[[side]]
  row.names(frame) <- row.names
  frame
}

side_frame <- function(side, clusters, probabilities) {
  names <- if (is.null(names(clusters))) as.character(seq_along(clusters)) else names(clusters)
  frame <- data.frame(side = side, name = names, cluster = unname(clusters),
                      stringsAsFactors = FALSE)
  if (!is.null(probabilities)) {
    frame$probability <- probabilities[cbind(seq_along(clusters), unname(clusters))]
  }
  frame
}

bind <- function(first, second) {
  for (name in setdiff(names(first), names(second))) second[[name]] <- NA_real_
  for (name in setdiff(names(second), names(first))) first[[name]] <- NA_real_
  rbind(first, second)
}

#' Cut the hierarchy of a fit
#'
#' Row clusters that belong together are merged, those first whose union costs the criterion least,
#' until so many are left.
#'
#' @param x A fit of [cobloc()].
#' @param k Number of clusters that are left, at most `x$k`.
#' @param ... Not used.
#' @return A list with `row_clusters`, the cluster of each row, numbered from 1, the largest first;
#'   `groups`, the clusters of the fit that make up each of them; and `criterion`, that of the
#'   merged clusters.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' fit <- cobloc(nations, k = 6, model = "coclus", seed = 1)
#' cut(fit, 3)$groups
#' @export
cut.cobloc <- function(x, k, ...) {
  if (is.null(x$merges) && k < x$k) bad_argument("the model ", x$model, " has no hierarchy")
  if (k < 1 || k > x$k || k != floor(k)) {
    bad_argument("k is ", k, ", expected a whole number from 1 to ", x$k)
  }
  group <- seq_len(x$k)
  for (step in seq_len(x$k - k)) {
    group[group == x$merges[step, 2]] <- x$merges[step, 1]
  }
  sizes <- tapply(x$row_sizes, group, sum)
  order <- as.integer(names(sizes))[order(-sizes, as.integer(names(sizes)))]
  number <- match(group, order)
  list(row_clusters = stats::setNames(number[x$row_clusters], names(x$row_clusters)),
       groups = unname(split(seq_len(x$k), number)),
       criterion = if (k < x$k) x$merge_criteria[x$k - k] else x$criterion)
}

#' @rdname fitted.cobloc
#' @export
residuals.cobloc <- function(object, ...) {
  if (object$model == "clbm") bad_argument("the model clbm has no residuals")
  if (object$weight != "none") bad_argument("the entries were weighted; residuals need weight = \"none\"")
  dense(object$x) - fitted.cobloc(object)
}

# All cells of a table.
dense <- function(x) {
  t <- as_table(x)
  out <- matrix(0, t$rows, t$cols)
  at <- switch(t$layout,
    triples = cbind(t$i, t$p),
    columns = cbind(t$i, rep(seq_len(t$cols), diff(t$p)) - 1),
    rows = cbind(rep(seq_len(t$rows), diff(t$p)) - 1, t$i)) + 1
  out[at] <- t$x
  out
}
