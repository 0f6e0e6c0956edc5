#' Co-cluster a table
#'
#' Groups the rows and the columns of a table at the same time, so that rows of a group have much
#' in common in the columns of a group.
#'
#' @param x The table: a sparse matrix of package Matrix (`dgCMatrix`, `dgRMatrix` and others, so
#'   also a `dfm` of package quanteda), a `matrix`, a `data.frame`, or a `DocumentTermMatrix` of
#'   package tm. Values are counts, ones or other non-negative numbers; model `"glbm"` takes any
#'   numbers, `"clbm"` a data frame of words or factors. `NA` is a missing cell, which these two and
#'   the Bernoulli models can take.
#' @param k Number of row clusters. `"auto"`: it is chosen.
#' @param model Model to fit, see [cobloc_models()]. `"auto"`: several are fitted, and the result is
#'   kept that the others agree with most.
#' @param l Number of column clusters, for models that let you choose it. By default `k`.
#' @param weight How entries are weighted: `"auto"`, `"none"`, `"binary"`, `"tfidf"`, `"rownorm"`,
#'   `"log"`, `"sqrt"`, `"bm25"` or `"bm25idf"`.
#' @param inference How memberships are computed: `"hard"`, `"soft"` (with probabilities),
#'   `"stochastic"` or `"svem"`. `"auto"`: the model's usual way.
#' @param restarts Number of starts, of which the best is kept. By default the model's usual number.
#' @param seed Random seed. By default it is drawn from R's random numbers, so that [set.seed()]
#'   makes a fit repeatable. With the same seed, the command line finds the same clusters.
#' @param progress Whether to show a progress bar.
#' @param ... Any other option of a fit by its name, see [cobloc_options()]: `max_iterations`,
#'   `max_seconds`, `threads`, `fix_rows`, ... Labels of rows or columns count from 1, `NA` where
#'   there is none.
#'
#' @details
#' Clusters are numbered from 1, the largest first. Rows and columns without entries have no
#' cluster (`NA`), and a warning says so. The answer is the same for any number of threads.
#'
#' A fit can be interrupted (Ctrl-C, Esc). A handler finds the best result so far in the condition:
#' `tryCatch(cobloc(x), interrupt = function(e) e$result)`.
#'
#' Errors are conditions of class `cobloc_error` (and `cobloc_bad_argument`, `cobloc_bad_data`, ...)
#' with the sentence of the library.
#'
#' @return An object of class `cobloc`, a list with
#' \item{row_clusters, col_clusters}{the cluster of each row and column, with their names}
#' \item{k, l}{the numbers of clusters}
#' \item{model, inference, weight, seed}{what was fitted, and how}
#' \item{criterion, criterion_name}{what the model maximises or minimises}
#' \item{row_sizes, col_sizes, row_proportions, col_proportions}{how large the clusters are}
#' \item{blocks}{sums of the (weighted) entries of each block}
#' \item{parameters}{those of each block; several tables for `"glbm"` and `"clbm"`}
#' \item{row_probabilities, col_probabilities}{where the inference has them, else `NULL`}
#' \item{icl, modularity, explained_information}{how good it is; `NaN` where that means nothing}
#' \item{merges, merge_criteria}{a hierarchy of the row clusters, see [cut.cobloc()]}
#' \item{sizes, size_summary}{where `k` was chosen: what was tried, and why this size}
#' \item{stop, iterations, trace, restart_criteria}{how it went}
#' \item{x}{the table}
#'
#' @seealso [predict.cobloc()], [plot.cobloc()], [coef.cobloc()], [cut.cobloc()],
#'   [cobloc_describe()], [cobloc_report()], [cobloc_select()], [cobloc_save()].
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' fit <- cobloc(nations, k = 6, model = "coclus", seed = 1)
#' fit
#' table(fit$row_clusters)
#' plot(fit)
#' @export
cobloc <- function(x, k = "auto", model = "auto", l = NULL, weight = "auto", inference = "auto",
                   restarts = NULL, seed = NULL, progress = FALSE, ...) {
  call <- match.call()
  options <- c(list(k = unless_auto(k), model = model, l = unless_auto(l), weight = weight,
                    inference = inference, restarts = restarts, seed = draw_seed(seed)),
               fit_options(list(...)))
  table <- as_table(x)
  bar <- progress_bar(progress)
  on.exit(bar$close())
  answer <- check(.Call(r_fit, table, options, FALSE, bar$report), call)
  finish_fit(answer, x, table, call)
}

# The object of a fit; warns, and ends with an interrupt where there was one.
finish_fit <- function(answer, x, table, call, more = list(), class = "cobloc") {
  fit <- make_fit(answer, x, table, call, more, class)
  if (isTRUE(answer$interrupted)) stop_interrupted(fit)
  empty <- c(if (fit$empty_rows) plural(fit$empty_rows, "row"),
             if (fit$empty_cols) plural(fit$empty_cols, "column"))
  if (length(empty)) {
    warning(paste(empty, collapse = " and "), " without entries: no cluster (NA)", call. = FALSE)
  }
  fit
}

make_fit <- function(answer, x, table, call, more = list(), class = "cobloc") {
  r <- answer$result
  rows <- bloc_names(r$k)
  cols <- if (is.null(r$col_names)) bloc_names(r$l) else r$col_names
  fit <- c(list(
    call = call, model = r$model, inference = r$inference, weight = r$weight, seed = r$seed,
    k = r$k, l = r$l, n = r$n, d = r$d, nnz = r$nnz,
    criterion_name = r$criterion_name, criterion = r$criterion,
    row_clusters = labels_out(r$row_labels, table$row_names),
    col_clusters = labels_out(r$col_labels, table$col_names),
    row_sizes = stats::setNames(r$row_sizes, rows), col_sizes = stats::setNames(r$col_sizes, cols),
    row_proportions = r$row_proportions, col_proportions = r$col_proportions,
    blocks = with_names(r$blocks, rows, cols),
    parameters = parameter_array(r, rows, cols),
    row_probabilities = with_names(r$row_probabilities, table$row_names, rows),
    col_probabilities = with_names(r$col_probabilities, table$col_names, cols),
    icl = r$icl, modularity = r$modularity, explained_information = r$explained_information,
    log_likelihood = r$log_likelihood, free_parameters = r$free_parameters,
    merges = if (!is.null(r$merges)) matrix(r$merges + 1L, ncol = 2, byrow = TRUE),
    merge_criteria = r$merge_criteria,
    size_rule = r$size_rule, sizes = as_frame(r$sizes), size_summary = r$size_summary,
    agreement = r$agreement, candidates = as_frame(r$candidates),
    stop = r$stop, iterations = r$iterations, trace = r$trace, seconds = r$seconds,
    restarts = r$restarts, best_restart = r$best_restart + 1L,
    restart_criteria = r$restart_criteria, repaired = r$repaired, at_bound = r$at_bound,
    dust = r$dust, r_hat = r$r_hat, empty_rows = r$empty_rows, empty_cols = r$empty_cols,
    row_sums = answer$sums[[1]], col_sums = answer$sums[[2]]),
    more, list(x = x, saved = answer$model))
  structure(fit, class = class)
}

with_names <- function(values, rows, cols) {
  if (!is.null(values)) dimnames(values) <- list(rows, cols)
  values
}

# A table of k by l; where a block has several parameters, an array of such tables.
parameter_array <- function(r, rows, cols) {
  if (is.null(r$parameters)) return(NULL)
  tables <- aperm(array(t(r$parameters), c(r$l, r$k, r$parameter_count)), c(2, 1, 3))
  dimnames(tables) <- list(rows, cols, r$parameter_names)
  if (r$parameter_count == 1) tables <- matrix(tables, r$k, r$l, dimnames = list(rows, cols))
  tables
}

#' Models, options and presets
#'
#' What can be fitted, and what can be set.
#'
#' @param of Whose options to list: `"fit"` ([cobloc()]), `"select"` ([cobloc_select()]),
#'   `"ensemble"`, `"describe"`, `"compare"`, `"simulation"` ([cobloc_simulate()]), `"io"` or
#'   `"text"` ([cobloc_read()]).
#' @return `cobloc_models()`: a data frame with a line for each model: its name and title, its
#'   criterion, whether that is minimised, whether row cluster k goes with column cluster k
#'   (`diagonal`), whether it clusters rows alone, whether it has soft memberships, whether it can
#'   place new rows, its usual inference and its usual weight.
#'
#'   `cobloc_options()`: a data frame with the name, default and meaning of each option.
#'
#'   `cobloc_presets()`: a data frame with the simulations of [cobloc_simulate()].
#'
#'   `cobloc_version()`: the version of the library that is used.
#' @examples
#' cobloc_models()[, c("model", "title")]
#' subset(cobloc_options("fit"), option == "max_seconds")
#' @export
cobloc_models <- function() as.data.frame(.Call(r_models), stringsAsFactors = FALSE)

#' @rdname cobloc_models
#' @export
cobloc_options <- function(of = "fit") {
  of <- match.arg(of, c("fit", "select", "ensemble", "describe", "compare", "simulation", "io",
                        "text"))
  listed <- check(.Call(r_options, of), match.call())
  default <- vapply(listed$default, function(value) {
    if (is.null(value) || is.list(value) || anyNA(value)) "" else paste(value, collapse = ",")
  }, "")
  frame <- data.frame(option = listed$option, default = unname(default), meaning = listed$meaning,
                      stringsAsFactors = FALSE)
  frame[frame$option != "progress", ]
}

#' @rdname cobloc_models
#' @export
cobloc_presets <- function() as.data.frame(.Call(r_presets), stringsAsFactors = FALSE)

#' @rdname cobloc_models
#' @export
cobloc_version <- function() .Call(r_version)
