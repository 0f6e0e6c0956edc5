# The same co-clustering in base R: hard updates of rows and columns in turn until nothing moves, from given labels.
# Once with loops over cells' sums, as one would write it down, once with matrix products, as one would in R.
#
#   Rscript loops.R LIBRARY MATRIX MODEL K ROUNDS      prints JSON: seconds and labels of the three

suppressMessages({
  words <- commandArgs(TRUE)
  library(cobloc, lib.loc = words[1])
})
x <- cobloc_read(words[2])
model <- words[3]
k <- as.integer(words[4])
rounds <- as.integer(words[5])
x <- as.matrix(x)
if (model == "lbm") x <- (x != 0) + 0
x <- x[rowSums(x) > 0, colSums(x) > 0]
dimnames(x) <- NULL
if (any(x != round(x))) x <- x / mean(x[x != 0]) # numbers other than counts have no unit: see docs/models.md

guard <- function(p) pmin(pmax(p, 1e-10), 1 - 1e-10)

# ---- scores of lines for clusters: A (per column cluster), b (per unit of margin), e -------------

rule <- function(blocks, sizes, other_sizes, margins, other_margins) {
  if (model == "lbm") {
    p <- guard(blocks / outer(sizes, other_sizes))
    return(list(A = log(p) - log(1 - p), b = rep(0, k),
                e = as.vector(log(1 - p) %*% other_sizes) + log(sizes / sum(sizes))))
  }
  rate <- pmax(blocks / outer(margins, other_margins), 1e-300)
  list(A = log(rate), b = -as.vector(rate %*% other_margins), e = log(sizes / sum(sizes)))
}

# ---- with matrix products ------------------------------------------------------------------------

step_products <- function(x, own, other) {
  one_hot <- diag(k)[other, ]
  reduced <- x %*% one_hot
  sums <- rowSums(x)
  blocks <- rowsum(reduced, own)
  r <- rule(blocks, tabulate(own, k), tabulate(other, k), as.vector(rowsum(sums, own)),
            as.vector(colSums(reduced)))
  max.col(reduced %*% t(r$A) + outer(sums, r$b) + rep(r$e, each = nrow(x)), "first")
}

# ---- with loops ----------------------------------------------------------------------------------

step_loops <- function(x, own, other) {
  n <- nrow(x)
  reduced <- matrix(0, n, k)
  for (i in seq_len(n)) for (j in seq_len(ncol(x))) {
    if (x[i, j] != 0) reduced[i, other[j]] <- reduced[i, other[j]] + x[i, j]
  }
  blocks <- matrix(0, k, k)
  sizes <- other_sizes <- margins <- other_margins <- numeric(k)
  for (i in seq_len(n)) {
    blocks[own[i], ] <- blocks[own[i], ] + reduced[i, ]
    sizes[own[i]] <- sizes[own[i]] + 1
    margins[own[i]] <- margins[own[i]] + sum(reduced[i, ])
  }
  for (j in seq_along(other)) other_sizes[other[j]] <- other_sizes[other[j]] + 1
  other_margins <- colSums(blocks)
  r <- rule(blocks, sizes, other_sizes, margins, other_margins)
  for (i in seq_len(n)) {
    scores <- numeric(k)
    for (c in seq_len(k)) scores[c] <- sum(reduced[i, ] * r$A[c, ]) + sum(reduced[i, ]) * r$b[c] + r$e[c]
    own[i] <- which.max(scores)
  }
  own
}

iterate <- function(step, rows, cols) {
  turned <- t(x)
  for (iteration in 1:200) {
    before <- c(rows, cols)
    rows <- step(x, rows, cols)
    cols <- step(turned, cols, rows)
    if (identical(before, c(rows, cols))) break
  }
  list(rows = rows, cols = cols, iterations = iteration)
}

# ---- all three from the same labels --------------------------------------------------------------

start <- cobloc(x, k, model, restarts = 1, max_iterations = 1, start = "random", seed = 1)
rows <- unname(start$row_clusters)
cols <- unname(start$col_clusters)
sparse <- methods::as(x, "CsparseMatrix")
ours <- function() cobloc(sparse, k, model, start = "labels", start_rows = rows, start_cols = cols,
                          restarts = 1, tolerance = 0, threads = 1, seed = 1)

timed <- function(what, rounds) {
  min(vapply(seq_len(rounds), function(round) system.time(what())[["elapsed"]], 0))
}
fit <- ours()
products <- iterate(step_products, rows, cols)
loops <- iterate(step_loops, rows, cols)
same <- function(other) cobloc_score(fit$row_clusters, other$rows)$ari
# A fit is too short for R's clock: many in a row.
batch <- 50
cat(sprintf('{"n": %d, "d": %d, "nnz": %d, "cobloc": %g, "products": %g, "loops": %g, "iterations": %d, "ari": [%.4f, %.4f]}\n',
            nrow(x), ncol(x), sum(x != 0), timed(function() for (i in 1:batch) ours(), rounds) / batch,
            timed(function() for (i in 1:batch) iterate(step_products, rows, cols), rounds) / batch,
            timed(function() iterate(step_loops, rows, cols), 1), products$iterations,
            same(products), same(loops)))
