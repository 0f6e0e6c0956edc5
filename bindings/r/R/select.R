#' Choose the number of clusters and the model
#'
#' Fits every size of a range, from its own starts and from its neighbours, and chooses one.
#'
#' @inheritParams cobloc
#' @param k The numbers of row clusters to try, such as `2:12`: their range.
#' @param l The numbers of column clusters, for models that let you choose them; all pairs are tried.
#'   By default as many as row clusters.
#' @param model One model, or several to choose among.
#' @param by What to choose by: `"icl"`, `"modularity"`, `"agreement"` (of several models),
#'   `"exact-icl"`, `"length"`, `"thinning"` or `"stability"`. `"auto"`: ICL or agreement, as the
#'   models call for.
#' @param within By modularity: choose the smallest size at most this share below the largest.
#' @param ... Options of the fits, as in [cobloc()].
#' @return An object of class `cobloc_selection`: a list with `curve`, a data frame of what was tried
#'   (`value`, its `spread`, whether it is `as_good` as the best); `by`, what was chosen by; `chosen`,
#'   the line of the curve; `summary`, a sentence or two; and `fit`, the chosen fit, an object of
#'   class `cobloc`.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' choice <- cobloc_select(nations, 2:8, model = "lbm", seed = 1)
#' choice
#' plot(choice)
#' @export
cobloc_select <- function(x, k = 2:12, model = "auto", l = NULL, by = "auto", within = NULL,
                          weight = "auto", inference = "auto", restarts = NULL, seed = NULL,
                          progress = FALSE, ...) {
  call <- match.call()
  fit <- c(list(weight = weight, inference = inference, restarts = restarts,
                seed = draw_seed(seed)), fit_options(list(...)))
  if (length(model) == 1) fit$model <- model
  options <- list(k_from = min(k), k_to = max(k), by = by, within = within,
                  l_from = if (!is.null(l)) min(l), l_to = if (!is.null(l)) max(l),
                  models = if (length(model) > 1) model, fit = fit)
  table <- as_table(x)
  bar <- progress_bar(progress)
  on.exit(bar$close())
  answer <- check(.Call(r_select, table, options, fit, bar$report), call)
  chosen <- finish_fit(answer, x, table, call)
  selection <- answer$more
  structure(class = "cobloc_selection",
            list(call = call, by = selection$by, curve = as_frame(selection$curve),
                 chosen = selection$chosen + 1L, best = selection$best + 1L,
                 at_end = selection$at_end, summary = selection$summary, stop = selection$stop,
                 seconds = selection$seconds, fit = chosen))
}

#' Print and plot a selection
#'
#' @param x,object A selection of [cobloc_select()].
#' @param digits Significant digits.
#' @param main,xlab,ylab Titles.
#' @param ... Handed to [graphics::plot()].
#' @return `x`, invisibly; `summary` the chosen fit's summary.
#' @export
print.cobloc_selection <- function(x, digits = 5, ...) {
  cat(strwrap(x$summary), sep = "\n")
  cat("\n")
  shown <- x$curve[c("model", "k", "l", "value", "spread")]
  shown$` ` <- ifelse(seq_len(nrow(shown)) == x$chosen, "chosen",
                      ifelse(x$curve$as_good, "as good", ""))
  names(shown)[4] <- x$by
  print(shown, digits = digits, row.names = FALSE)
  invisible(x)
}

#' @rdname print.cobloc_selection
#' @export
summary.cobloc_selection <- function(object, ...) summary.cobloc(object$fit, ...)

#' @rdname print.cobloc_selection
#' @export
plot.cobloc_selection <- function(x, main = NULL, xlab = NULL, ylab = NULL, ...) {
  models <- unique(x$curve$model)
  colours <- grDevices::palette.colors(length(models), "Okabe-Ito", recycle = TRUE)
  graphics::plot(range(x$curve$k), range(x$curve$value, finite = TRUE), type = "n",
                 main = or(main, "Sizes that were tried"), xlab = or(xlab, "row clusters"),
                 ylab = or(ylab, x$by), ...)
  for (m in seq_along(models)) {
    inside <- x$curve$model == models[m]
    graphics::lines(x$curve$k[inside], x$curve$value[inside], type = "b", pch = 19,
                    col = colours[m])
  }
  graphics::abline(v = x$curve$k[x$chosen], lty = 2)
  if (length(models) > 1) graphics::legend("bottomright", models, col = colours, lty = 1, bty = "n")
  invisible(x)
}

#' A consensus of many co-clusterings
#'
#' Makes many co-clusterings by fits of several models and sizes, keeps those of a good modularity and
#' joins them: the result depends less on a start, a model or a size.
#'
#' @inheritParams cobloc
#' @param k Number of co-clusters. `"auto"`: chosen by modularity.
#' @param models Models that make co-clusterings. By default `"dcc"`.
#' @param method How they are joined: `"ebco"`, or `"coce"`, which weighs them by relevance.
#' @param given Co-clusterings from elsewhere: a list of fits of [cobloc()], or of lists with
#'   `row_clusters` and `col_clusters`.
#' @param ... Other options, see `cobloc_options("ensemble")`: `size_from`, `size_to`, `runs`, `keep`,
#'   ...
#' @return An object of class `cobloc_ensemble` and `cobloc`, with a data frame `members` beside: the
#'   co-clusterings, their modularity, and which were kept.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' joined <- cobloc_ensemble(nations, k = 5, seed = 1)
#' joined
#' head(joined$members)
#' @export
cobloc_ensemble <- function(x, k = "auto", models = NULL, method = "ebco", given = NULL,
                            weight = "tfidf", restarts = NULL, seed = NULL, progress = FALSE, ...) {
  call <- match.call()
  options <- c(list(k = unless_auto(k), models = models, method = method,
                    given = if (length(given)) lapply(given, partition_in), weight = weight,
                    restarts = restarts, seed = draw_seed(seed)), fit_options(list(...)))
  table <- as_table(x)
  bar <- progress_bar(progress)
  on.exit(bar$close())
  answer <- check(.Call(r_ensemble, table, options, bar$report), call)
  finish_fit(answer, x, table, call,
             more = list(members = as_frame(answer$more$members), joined = answer$more$kept,
                         curve = as_frame(answer$more$selection$curve)),
             class = c("cobloc_ensemble", "cobloc"))
}
