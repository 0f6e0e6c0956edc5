# Pictures in base graphics.

#' Plot a fit
#'
#' @param x A fit of [cobloc()], or a selection of [cobloc_select()].
#' @param type `"matrix"`: the table with rows and columns in the order of their clusters.
#'   `"blocks"`: how many times fuller each block is than by chance. `"curve"`: the sizes that were
#'   tried, where `k` was chosen. `"convergence"`: the criterion of the best start.
#' @param most Tables with more rows or columns are shown as a picture of at most so many: a point is
#'   the share of cells with an entry.
#' @param main,xlab,ylab Titles.
#' @param ... Handed to [graphics::image()] or [graphics::plot()].
#' @return `x`, invisibly.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' fit <- cobloc(nations, k = 6, model = "coclus", seed = 1)
#' plot(fit)
#' plot(fit, "blocks")
#' @export
plot.cobloc <- function(x, type = c("matrix", "blocks", "curve", "convergence"), most = 600,
                        main = NULL, xlab = NULL, ylab = NULL, ...) {
  type <- match.arg(type)
  draw <- switch(type, matrix = plot_matrix, blocks = plot_blocks, curve = plot_sizes,
                 convergence = plot_convergence)
  draw(x, most = most, main = main, xlab = xlab, ylab = ylab, ...)
  invisible(x)
}

or <- function(value, default) if (is.null(value)) default else value

# Light to dark: told apart with any kind of colour vision, and in grey.
dark_colours <- function(count) grDevices::hcl.colors(count, "Blues 3", rev = TRUE)

plot_matrix <- function(x, most, main, xlab, ylab, ...) {
  rows <- order(x$row_clusters, -x$row_sums, na.last = TRUE)
  cols <- order(x$col_clusters, -x$col_sums, na.last = TRUE)
  picture <- shrink(x$x, rows, cols, most)
  graphics::image(seq(0, x$d, length.out = ncol(picture) + 1),
                  seq(0, x$n, length.out = nrow(picture) + 1),
                  t(picture[rev(seq_len(nrow(picture))), , drop = FALSE]),
                  col = dark_colours(24), axes = FALSE, main = or(main, fit_title(x)),
                  xlab = or(xlab, "columns"), ylab = or(ylab, "rows"), ...)
  graphics::abline(h = x$n - cumsum(x$row_sizes), v = cumsum(x$col_sizes), col = "grey40")
  graphics::box()
}

# Shares of cells with an entry, in a grid of at most `most` lines each way.
shrink <- function(x, rows, cols, most) {
  t <- as_table(x)
  row_of <- col_of <- NULL
  height <- min(most, t$rows)
  width <- min(most, t$cols)
  row_of[rows] <- ceiling(seq_along(rows) * height / t$rows)
  col_of[cols] <- ceiling(seq_along(cols) * width / t$cols)
  i <- switch(t$layout, rows = rep(seq_len(t$rows), diff(t$p)), t$i + 1)
  j <- switch(t$layout, triples = t$p + 1, columns = rep(seq_len(t$cols), diff(t$p)), t$i + 1)
  filled <- tabulate(row_of[i] + height * (col_of[j] - 1), height * width)
  cells <- outer(tabulate(row_of, height), tabulate(col_of, width))
  matrix(filled, height, width) / cells
}

# Lifts on a logarithmic scale: white is as by chance.
plot_blocks <- function(x, most, main, xlab, ylab, ...) {
  blocks <- x$blocks
  lift <- blocks * sum(blocks) / outer(rowSums(blocks), colSums(blocks))
  shade <- pmin(pmax(log2(pmax(lift, 1e-9)), -4), 4)
  graphics::image(seq_len(x$l), seq_len(x$k), t(shade[rev(seq_len(x$k)), , drop = FALSE]),
                  zlim = c(-4, 4), col = grDevices::hcl.colors(33, "Blue-Red 3"), axes = FALSE,
                  main = or(main, "Blocks: how many times fuller than by chance"),
                  xlab = or(xlab, "column cluster"), ylab = or(ylab, "row cluster"), ...)
  graphics::axis(1, seq_len(x$l), names(x$col_sizes))
  graphics::axis(2, seq_len(x$k), rev(names(x$row_sizes)), las = 1)
  if (x$k * x$l <= 400) {
    graphics::text(rep(seq_len(x$l), each = x$k), rep(rev(seq_len(x$k)), x$l),
                   format(round(as.vector(lift), 1)), cex = 0.8)
  }
  graphics::box()
}

plot_sizes <- function(x, main, xlab, ylab, most, ...) {
  if (!NROW(x$sizes)) bad_argument("there is no curve: k was given")
  graphics::plot(x$sizes$k, x$sizes$value, type = "b", pch = 19, main = or(main, "Sizes"),
                 xlab = or(xlab, "row clusters"), ylab = or(ylab, x$size_rule), ...)
  graphics::abline(v = x$k, lty = 2)
}

plot_convergence <- function(x, main, xlab, ylab, most, ...) {
  if (is.null(x$trace)) bad_argument("the fit kept no trace")
  graphics::plot(seq_along(x$trace), x$trace, type = "b", pch = 20,
                 main = or(main, "Convergence of the best start"),
                 xlab = or(xlab, "iteration"), ylab = or(ylab, x$criterion_name), ...)
}
