#' Compare clusters with known classes
#'
#' @param labels The clusters that were found, of any type; or a fit of [cobloc()]. `NA`: left out.
#' @param truth The known classes of the rows.
#' @param col_labels,col_truth The same of the columns, for scores of both together.
#' @return An object of class `cobloc_score`: a list with `acc` (accuracy under the best matching),
#'   `nmi`, `ari`, `purity`, numbers of `clusters`, `classes` and `lines`, and `confusion`, a table of
#'   classes by clusters, matched ones on the diagonal. With columns, also `cols` (their scores),
#'   `cce` (the share of cells that are wrong) and `cari` (adjusted Rand index of the cells).
#' @examples
#' cobloc_score(c(1, 1, 2, 2, 3), c("a", "a", "b", "b", "b"))
#' @export
cobloc_score <- function(labels, truth, col_labels = NULL, col_truth = NULL) {
  call <- match.call()
  if (inherits(labels, "cobloc")) {
    if (is.null(col_labels)) col_labels <- labels$col_clusters
    labels <- labels$row_clusters
  }
  if (length(labels) != length(truth)) {
    bad_argument("there are ", length(labels), " labels, but ", length(truth), " classes")
  }
  found <- classes_in(labels)
  known <- classes_in(truth)
  answer <- check(.Call(r_score, found$codes, known$codes), call)
  confusion <- matrix(answer$confusion$counts, answer$confusion$classes,
                      dimnames = list(class = known$names[answer$confusion$class_labels + 1],
                                      cluster = found$names[answer$confusion$cluster_labels + 1]))
  scores <- c(answer$scores, list(confusion = as.table(confusion)))
  if (!is.null(col_truth)) {
    both <- check(.Call(r_coscore, found$codes, known$codes, classes_in(col_labels)$codes,
                        classes_in(col_truth)$codes), call)
    scores <- c(scores, both[c("cols", "cce", "cari")])
  }
  structure(scores, class = "cobloc_score")
}

#' Print scores
#'
#' @param x Scores of [cobloc_score()].
#' @param digits Digits.
#' @param ... Not used.
#' @return `x`, invisibly.
#' @export
print.cobloc_score <- function(x, digits = 4, ...) {
  shown <- unlist(x[intersect(names(x), c("acc", "nmi", "ari", "purity", "cce", "cari"))])
  print(round(shown, digits))
  cat("\n")
  print(x$confusion)
  invisible(x)
}

#' Methods side by side
#'
#' Runs each method several times, with consecutive seeds, and scores it against known classes.
#'
#' @inheritParams cobloc
#' @param truth The known classes of the rows; `NA`: unknown.
#' @param methods Models, such as `"coclus"`; with an inference behind a colon and a weight behind
#'   `@@`: `"splbm:soft"`, `"plbm@@tfidf"`. `"all"`: all of them.
#' @param k Number of row clusters. By default the number of classes.
#' @param runs Number of runs of each method.
#' @param threads Number of threads. By default as many as there are.
#' @param ... Options of the fits, as in [cobloc()].
#' @return An object of class `cobloc_comparison`: a list with `table`, a data frame with the mean and
#'   standard deviation of `acc`, `nmi` and `ari`, and their values for the run of the best criterion;
#'   `runs`, a data frame of all runs; and `test`, a paired test of the NMI of the best two methods.
#'   Methods that cannot be run on these data have a `failure`.
#' @examples
#' made <- cobloc_simulate(rows = 60, cols = 40, k = 3, l = 3, parameters = diag(0.5, 3) + 0.1,
#'                         law = "bernoulli", seed = 1)
#' cobloc_compare(made$x, made$row_clusters, c("coclus", "lbm", "skmeans"), runs = 3, seed = 1)
#' @export
cobloc_compare <- function(x, truth, methods, k = NULL, runs = 10, seed = NULL, threads = NULL,
                           progress = FALSE, ...) {
  call <- match.call()
  classes <- classes_in(truth)
  if (identical(methods, "all")) methods <- cobloc_models()$model
  fit <- c(list(k = or(k, length(classes$names))), fit_options(list(...)))
  options <- list(runs = runs, seed = draw_seed(seed), threads = threads)
  table <- as_table(x)
  if (length(classes$codes) != table$rows) {
    bad_argument("there are ", table$rows, " rows, but ", length(classes$codes), " classes")
  }
  bar <- progress_bar(progress)
  on.exit(bar$close())
  answer <- check(.Call(r_compare, table, classes$codes, methods, fit, options, bar$report), call)
  comparison <- make_comparison(answer, call)
  if (isTRUE(answer$stopped)) stop_interrupted(comparison)
  comparison
}

make_comparison <- function(answer, call) {
  measures <- c("acc", "nmi", "ari", "criterion", "seconds")
  lines <- lapply(answer$methods, function(m) {
    values <- unlist(lapply(stats::setNames(m[measures], measures), `[`, c("mean", "sd", "best")))
    names(values) <- gsub(".", "_", names(values), fixed = TRUE)
    c(list(method = m$name, runs = m$done), as.list(values),
      list(failure = if (nzchar(m$failure$message)) m$failure$message else NA_character_))
  })
  runs <- lapply(answer$methods, function(m) {
    frame <- as_frame(m$runs)
    cbind(method = rep(m$name, nrow(frame)), frame)[frame$done, ]
  })
  test <- if (answer$test$pairs > 1) {
    c(list(first = answer$methods[[answer$first + 1]]$name,
           second = answer$methods[[answer$second + 1]]$name), answer$test)
  }
  structure(class = "cobloc_comparison",
            list(call = call, table = as_frame(lines), runs = do.call(rbind, runs), test = test))
}

#' Print and plot a comparison
#'
#' @param x A comparison of [cobloc_compare()].
#' @param measure What to draw: `"nmi"`, `"acc"` or `"ari"`.
#' @param digits Digits.
#' @param ... Handed to [graphics::boxplot()].
#' @return `x`, invisibly.
#' @export
print.cobloc_comparison <- function(x, digits = 3, ...) {
  spread <- function(name) {
    sprintf("%.*f +- %.*f", digits, x$table[[paste0(name, "_mean")]], digits,
            x$table[[paste0(name, "_sd")]])
  }
  shown <- data.frame(method = x$table$method, runs = x$table$runs, acc = spread("acc"),
                      nmi = spread("nmi"), ari = spread("ari"), stringsAsFactors = FALSE)
  failed <- !is.na(x$table$failure)
  print(shown[!failed, ], row.names = FALSE)
  for (m in which(failed)) cat(x$table$method[m], ": ", x$table$failure[m], "\n", sep = "")
  if (!is.null(x$test)) {
    cat(sprintf("\n%s - %s: NMI differs by %.*f (paired t-test: p = %.2g, Wilcoxon: p = %.2g)\n",
                x$test$first, x$test$second, digits, x$test$difference, x$test$t_p,
                x$test$wilcoxon_p))
  }
  invisible(x)
}

#' @rdname print.cobloc_comparison
#' @export
plot.cobloc_comparison <- function(x, measure = c("nmi", "acc", "ari"), ...) {
  measure <- match.arg(measure)
  methods <- factor(x$runs$method, levels = rev(unique(x$runs$method)))
  graphics::boxplot(x$runs[[measure]] ~ methods, horizontal = TRUE, las = 1, xlab = measure,
                    ylab = "", ...)
  invisible(x)
}
