# The program and this package use one library: the same seed gives the same clusters.

same_labels <- function(x, file, model, words = c(), ...) {
  made <- run_fit(file, "-k", 4, "-m", model, "--seed", 5, words)
  fit <- tryCatch(suppressWarnings(cobloc(x, k = 4, model = model, seed = 5, ...)),
                  cobloc_error = function(e) e)
  if (inherits(fit, "error")) return(expect_match(made$failure, conditionMessage(fit), fixed = TRUE))
  expect_equal(unname(fit$row_clusters), made$rows, label = paste(model, "rows"))
  expect_equal(unname(fit$col_clusters), made$cols, label = paste(model, "columns"))
}

test_that("every model finds the clusters of the command line", {
  command_line()
  for (model in setdiff(cobloc_models()$model, "clbm")) same_labels(nations, example_file("nations.csv"), model)
})

test_that("so do model and size auto", {
  command_line()
  made <- run_fit(example_file("nations.csv"), "--seed", 5)
  expect_equal(unname(cobloc(nations, seed = 5)$row_clusters), made$rows)
})

test_that("so do categories and missing cells", {
  command_line()
  set.seed(1)
  words <- as.data.frame(matrix(sample(c("yes", "no", "perhaps"), 240, TRUE), 30))
  file <- tempfile(fileext = ".csv")
  utils::write.csv(cbind(name = paste0("r", 1:30), words), file, row.names = FALSE, quote = FALSE)
  same_labels(words, file, "clbm", c("--values", "categories"))
  words[3, 4] <- NA
  utils::write.csv(cbind(name = paste0("r", 1:30), words), file, row.names = FALSE, quote = FALSE)
  same_labels(words, file, "clbm", c("--values", "categories", "--missing", "ignore"))
})
