test_that("scores are those of a hand-made table", {
  s <- cobloc_score(c(1, 1, 2, 2, 3), c("a", "a", "b", "b", "b"))
  expect_equal(s$acc, 0.8)
  expect_equal(s$purity, 1)
  expect_equal(sum(s$confusion), 5)
  expect_equal(s$confusion["b", "2"], 2)
  expect_equal(cobloc_score(c("u", "v", NA), c(1, 2, 2))$lines, 2)
  expect_error(cobloc_score(1:3, 1:4), "3 labels, but 4 classes")
  expect_output(print(s), "acc")
})

test_that("co-clusterings are scored by cells", {
  s <- cobloc_score(c(1, 2, 2), c("a", "b", "b"), c(1, 1, 2), c(2, 2, 1))
  expect_equal(c(s$cce, s$cari), c(0, 1))
})

test_that("simulations have the clusters they say", {
  made <- cobloc_simulate(rows = 200, cols = 100, parameters = diag(0.6, 3) + 0.1,
                          law = "bernoulli", seed = 1)
  expect_equal(dim(made$x), c(200, 100))
  inside <- outer(made$row_clusters, made$col_clusters, "==")
  expect_equal(mean(as.matrix(made$x)[inside]), 0.7, tolerance = 0.05)
  fit <- cobloc(made$x, 3, "lbm", seed = 1)
  expect_gt(cobloc_score(fit, made$row_clusters)$ari, 0.95)
  expect_gt(nrow(cobloc_presets()), 3)
  set.seed(2)
  first <- cobloc_simulate("dlbm-sparse:90")
  set.seed(2)
  expect_equal(cobloc_simulate("dlbm-sparse:90")$row_clusters, first$row_clusters)
})

test_that("methods are compared", {
  made <- cobloc_simulate(rows = 60, cols = 40, parameters = diag(0.5, 3) + 0.1,
                          law = "bernoulli", seed = 1)
  table <- cobloc_compare(made$x, made$row_clusters, c("coclus", "lbm:soft", "skmeans@tfidf"),
                          runs = 3, seed = 1)
  expect_equal(nrow(table$table), 3)
  expect_equal(nrow(table$runs), 9)
  lbm <- subset(table$runs, method == table$table$method[2])
  one <- cobloc(made$x, 3, "lbm", inference = "soft", seed = lbm$seed[1])
  expect_equal(cobloc_score(one, made$row_clusters)$nmi, lbm$nmi[1])
  expect_output(print(table), "coclus")
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(table))
})

test_that("blocs are described", {
  fit <- cobloc(nations, k = 6, model = "coclus", seed = 1)
  about <- cobloc_describe(fit, terms = 3, rows = 2)
  expect_length(about$blocs, 6)
  first <- about$blocs[[1]]
  expect_equal(nrow(first$telling), 3)
  expect_true(all(first$telling$column %in% names(which(fit$col_clusters == 1))))
  expect_true(all(first$typical$row %in% names(which(fit$row_clusters == 1))))
  expect_true(all(first$typical[["next"]] %in% 2:6))
  expect_output(print(about), "typical:")
})

test_that("a report is written", {
  fit <- cobloc(nations, k = 6, model = "coclus", seed = 1)
  file <- cobloc_report(fit, tempfile(fileext = ".html"), truth = attr(nations, "labels"),
                        title = "Nations & others")
  expect_match(readLines(file, n = 30, warn = FALSE), "Nations &amp; others", all = FALSE)
})

test_that("models and options are listed", {
  models <- cobloc_models()
  expect_true(all(c("coclus", "lbm", "glbm", "nmf") %in% models$model))
  expect_true(models$diagonal[models$model == "coclus"])
  expect_true("max_seconds" %in% cobloc_options()$option)
  for (of in c("select", "ensemble", "describe", "compare", "simulation", "io", "text")) {
    expect_true(all(nzchar(cobloc_options(of)$meaning)))
  }
  expect_equal(cobloc_version(), as.character(utils::packageVersion("cobloc")))
})
