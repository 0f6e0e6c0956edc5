fit <- cobloc(nations, k = 4, l = 3, model = "lbm", inference = "soft", seed = 1)

test_that("a fit has clusters from 1, with names", {
  expect_s3_class(fit, "cobloc")
  expect_equal(names(fit$row_clusters), rownames(nations))
  expect_setequal(fit$row_clusters, 1:4)
  expect_setequal(fit$col_clusters, 1:3)
  expect_equal(as.vector(table(fit$row_clusters)), unname(fit$row_sizes))
  expect_equal(rowSums(fit$row_probabilities), rep(1, 196), ignore_attr = TRUE)
})

test_that("blocks and parameters are those of the clusters", {
  hard <- cobloc(nations, k = 4, l = 3, model = "lbm", seed = 1)
  rows <- diag(4)[hard$row_clusters, ]
  cols <- diag(3)[hard$col_clusters, ]
  blocks <- t(rows) %*% as.matrix(nations) %*% cols
  expect_equal(unname(hard$blocks), unname(blocks))
  expect_equal(unname(hard$parameters), unname(blocks / outer(colSums(rows), colSums(cols))))
})

test_that("several parameters a block are tables behind each other", {
  set.seed(4)
  x <- matrix(rnorm(300, mean = rep(c(0, 5), each = 5)), 20)
  g <- cobloc(x, 2, "glbm", l = 1, seed = 1)
  expect_equal(dim(g$parameters), c(2, 1, 2))
  cluster <- x[g$row_clusters == 1, ]
  expect_equal(g$parameters[1, 1, "mean"], mean(cluster))
  expect_equal(g$parameters[1, 1, "variance"], mean((cluster - mean(cluster))^2))
  expect_equal(coef(g)$se[1], sqrt(mean((cluster - mean(cluster))^2) / length(cluster)))
})

test_that("standard errors are those of rates and shares", {
  p <- cobloc(nations, 3, "plbm", seed = 1)
  expect_equal(coef(p)$se, as.vector(p$parameters / sqrt(p$blocks)))
  b <- cobloc(nations, 3, "lbm", seed = 1)
  a <- b$parameters[2, 3]
  expect_equal(subset(coef(b), row == 2 & column == "3")$se,
               sqrt(a * (1 - a) / (b$row_sizes[[2]] * b$col_sizes[[3]])))
  expect_true(all(is.na(coef(cobloc(nations, 3, "plbm", weight = "tfidf", seed = 1))$se)))
  s <- cobloc(nations, 3, "splbm-exact", seed = 1)
  off <- sum(s$blocks) - sum(diag(s$blocks))
  expect_equal(subset(coef(s), row == 1 & column == "2")$se, s$parameters[1, 2] / sqrt(off))
})

test_that("fitted values keep margins, or are means of blocks", {
  p <- cobloc(nations, 4, "plbm", seed = 1)
  expect_equal(rowSums(fitted(p)), Matrix::rowSums(nations))
  expect_equal(colSums(fitted(p)), Matrix::colSums(nations))
  expect_equal(sum(residuals(p)), 0)
  expect_equal(fitted(p, "France", "EU")[1, 1], fitted(p)["France", "EU"])
  expect_error(fitted(p, "Atlantis"), "no line named 'Atlantis'")
  b <- cobloc(nations, 4, "lbm", seed = 1)
  expect_equal(fitted(b)["France", "EU"],
               b$parameters[b$row_clusters["France"], b$col_clusters["EU"]])
})

test_that("likelihood, BIC and ICL follow from one another", {
  ll <- logLik(fit)
  expect_equal(attr(ll, "df"), 12 + 3 + 2)
  expect_equal(attr(ll, "nobs"), 196 * 48)
  expect_equal(BIC(fit), -2 * as.double(ll) + 17 * log(196 * 48))
  expect_equal(ICL(fit), as.double(ll) - 3 / 2 * log(196) - 2 / 2 * log(48) - 12 / 2 * log(196 * 48))
  expect_error(logLik(cobloc(nations, 3, "coclus", seed = 1)), "has no likelihood")
})

test_that("new rows are placed as the old ones were", {
  p <- cobloc(nations, 4, "plbm", seed = 1)
  expect_equal(predict(p), p$row_clusters)
  expect_equal(predict(p, nations[5:9, ]), p$row_clusters[5:9])
  expect_equal(predict(p, nations[, 48:1]), p$row_clusters)
  scores <- predict(p, type = "scores")
  expect_equal(dim(scores), c(196, 4))
  expect_equal(max.col(scores), unname(p$row_clusters))
  probabilities <- predict(fit, nations[1:3, ], "probabilities")
  expect_equal(rowSums(probabilities), rep(1, 3), ignore_attr = TRUE)
  without <- with(cobloc_models(), model[!predicts])[1]
  expect_error(predict(cobloc(nations, 3, without, seed = 1)), class = "cobloc_unsupported")
})

test_that("a fit survives saving", {
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  again <- readRDS(file)
  expect_equal(predict(again, nations), predict(fit, nations))
  expect_equal(cobloc_describe(again)$lifts, cobloc_describe(fit)$lifts)
  folder <- cobloc_save(fit, tempfile())
  expect_true(all(c("rows.tsv", "cols.tsv", "model.json") %in% list.files(folder)))
  loaded <- cobloc_load(folder, example_file("nations.csv"))
  expect_equal(loaded$row_clusters, fit$row_clusters)
  expect_equal(loaded$criterion, fit$criterion)
})

test_that("the hierarchy is cut", {
  coclus <- cobloc(nations, k = 6, model = "coclus", seed = 1)
  cut3 <- cut(coclus, 3)
  expect_setequal(cut3$row_clusters, 1:3)
  expect_equal(sort(unlist(cut3$groups)), 1:6)
  expect_equal(names(cut3$row_clusters), rownames(nations))
  expect_true(all(diff(tabulate(cut3$row_clusters)) <= 0))
  expect_lte(length(unique(paste(coclus$row_clusters, cut3$row_clusters))), 6)
  expect_equal(cut(coclus, 6)$row_clusters, coclus$row_clusters)
  expect_error(cut(coclus, 9), "expected a whole number from 1 to 6")
})

test_that("clusters become a data frame", {
  frame <- as.data.frame(fit)
  expect_equal(nrow(frame), 196 + 48)
  expect_equal(names(frame), c("side", "name", "cluster", "probability"))
  expect_equal(as.data.frame(fit, side = "columns")$cluster, unname(fit$col_clusters))
})

test_that("sizes are chosen", {
  auto <- cobloc(nations, seed = 1)
  expect_gt(nrow(auto$sizes), 1)
  expect_match(auto$size_summary, as.character(auto$k))
  choice <- cobloc_select(nations, 2:5, "lbm", by = "icl", seed = 1)
  expect_equal(nrow(choice$curve), 4)
  expect_equal(choice$fit$k, choice$curve$k[choice$chosen])
  expect_equal(choice$curve$value[choice$chosen], choice$fit$icl)
  expect_equal(predict(choice$fit), choice$fit$row_clusters)
})

test_that("a consensus is made, also of given co-clusterings", {
  joined <- cobloc_ensemble(nations, k = 4, size_to = 6, seed = 1)
  expect_s3_class(joined, "cobloc_ensemble")
  expect_equal(joined$k, 4)
  expect_equal(joined$joined, sum(joined$members$kept))
  given <- lapply(3:5, function(k) cobloc(nations, k, "coclus", seed = k))
  expect_equal(nrow(cobloc_ensemble(nations, k = 4, given = given, seed = 1)$members), 3)
})

test_that("known clusters are kept", {
  known <- rep(NA, 196)
  known[c(1, 2)] <- c(2, 3)
  kept <- cobloc(nations, 4, "plbm", seed = 1, fix_rows = known)
  expect_equal(length(unique(kept$row_clusters[1:2])), 2)
})

test_that("set.seed rules a fit, and seed stands above it", {
  set.seed(7)
  first <- cobloc(nations, 5, "plbm", restarts = 1)
  set.seed(7)
  second <- cobloc(nations, 5, "plbm", restarts = 1)
  expect_equal(first$seed, second$seed)
  expect_equal(first$row_clusters, second$row_clusters)
  expect_false(cobloc(nations, 5, "plbm", restarts = 1)$seed == first$seed)
  set.seed(7)
  before <- .Random.seed
  cobloc(nations, 5, "plbm", seed = 1)
  expect_identical(.Random.seed, before)
})

test_that("conditions carry the library's sentence", {
  expect_error(cobloc(nations, 3, "foo"), "there is no model 'foo'", class = "cobloc_bad_argument")
  expect_error(cobloc(nations, 3, modl = "lbm"), "did you mean 'model'")
  expect_error(cobloc(nations, 3.5), "whole number")
  expect_error(cobloc(nations, 300, "coclus"), "only 196 rows", class = "cobloc_error")
  expect_error(cobloc_read("/nowhere"), class = "cobloc_input_output_error")
  expect_error(cobloc(nations, 3, "lbm", "l", "none", "hard", 2, 1, FALSE, 4), "need a name")
})

test_that("fits print and plot", {
  expect_output(print(fit), "Co-clustering of 196 rows and 48 columns by lbm")
  expect_output(print(summary(fit)), "Parameters of the blocks")
  expect_output(print(cobloc_select(nations, 2:4, "lbm", seed = 1)), "chosen")
  pdf(NULL)
  on.exit(dev.off())
  for (type in c("matrix", "blocks", "convergence")) expect_silent(plot(fit, type))
  expect_silent(plot(fit, most = 20))
  expect_silent(plot(cobloc(nations, seed = 1), "curve"))
  expect_error(plot(fit, "curve"), "k was given")
})

test_that("progress is shown where it is asked for", {
  expect_output(cobloc(nations, 4, "lbm", seed = 1, restarts = 30, progress = TRUE), "100%")
  expect_silent(cobloc(nations, 4, "lbm", seed = 1))
})
