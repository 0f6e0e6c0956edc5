labels <- function(x, ...) {
  fit <- cobloc(x, k = 5, model = "plbm", seed = 3, ...)
  list(fit$row_clusters, fit$col_clusters)
}
expected <- labels(nations)

test_that("every kind of table gives the same clusters", {
  dense <- as.matrix(nations)
  expect_equal(labels(dense), expected)
  expect_equal(labels(dense == 1), expected)
  storage.mode(dense) <- "integer"
  expect_equal(labels(dense), expected)
  expect_equal(labels(as.data.frame(dense)), expected)
  expect_equal(labels(as(nations, "RsparseMatrix")), expected)
  expect_equal(labels(as(nations, "TsparseMatrix")), expected)
  expect_equal(labels(nations != 0), expected)
})

test_that("a first column of words names the rows", {
  frame <- utils::read.csv(example_file("nations.csv"), check.names = FALSE)
  expect_equal(labels(frame), expected)
})

test_that("subclasses of dgCMatrix, as quanteda's dfm is, are sparse matrices", {
  setClass("words", contains = "dgCMatrix", where = environment())
  expect_equal(labels(new("words", nations)), expected)
})

test_that("tables of tm are taken", {
  skip_if_not_installed("tm")
  triples <- as(nations, "TsparseMatrix")
  simple <- structure(list(i = triples@i + 1L, j = triples@j + 1L, v = triples@x,
                           nrow = nrow(nations), ncol = ncol(nations),
                           dimnames = list(Docs = rownames(nations), Terms = colnames(nations))),
                      class = c("DocumentTermMatrix", "simple_triplet_matrix"))
  expect_equal(labels(simple), expected)
})

test_that("other things are refused in a sentence", {
  expect_error(cobloc(letters, 2), "expected a matrix", class = "cobloc_bad_argument")
  expect_error(cobloc(data.frame(a = 1:3, b = letters[1:3], c = 1:3), 2),
               "columns of numbers and of words \\(b\\)")
})

test_that("missing cells are NA", {
  dense <- as.matrix(nations)
  dense[1, 2] <- NA
  expect_error(cobloc(dense, 3, "coclus"), "coclus takes no missing cells",
               class = "cobloc_error")
  expect_length(cobloc(dense, 3, "lbm", seed = 1)$row_clusters, 196)
  sparse <- as(dense, "CsparseMatrix")
  expect_equal(cobloc(sparse, 3, "lbm", seed = 1)$criterion,
               cobloc(dense, 3, "lbm", seed = 1)$criterion)
})

test_that("a table that is read has its missing cells, names and labels", {
  file <- tempfile(fileext = ".csv")
  writeLines(c("name,a,b", "x,1,NA", "y,0,-2"), file)
  x <- cobloc_read(file, missing = "ignore")
  expect_equal(as.matrix(x), matrix(c(1, 0, NA, -2), 2, dimnames = list(c("x", "y"), c("a", "b"))))
  expect_s3_class(attr(nations, "labels"), "factor")
  expect_length(attr(nations, "labels"), 196)
})

test_that("words are categories", {
  file <- tempfile(fileext = ".csv")
  writeLines(c("name,q1,q2,q3", "a,yes,no,yes", "b,yes,no,yes", "c,no,maybe,no", "d,no,maybe,no"), file)
  x <- cobloc_read(file, values = "categories")
  expect_s3_class(x, "data.frame")
  expect_equal(levels(x$q1)[1], "no")
  fit <- cobloc(x, 2, "clbm", seed = 1)
  expect_equal(unname(fit$row_clusters), c(1, 1, 2, 2))
  expect_true(all(fitted(fit) == as.matrix(x)))
  expect_equal(apply(fit$parameters, c(1, 2), sum), matrix(1, 2, 2), ignore_attr = TRUE)
})

test_that("lines without entries have no cluster, and a warning says so", {
  dense <- as.matrix(nations)
  dense[4, ] <- 0
  expect_warning(fit <- cobloc(dense, 3, "plbm", seed = 1), "1 row without entries")
  expect_true(is.na(fit$row_clusters[4]))
  expect_true(all(is.na(fitted(fit)[4, ])))
})

test_that("text is counted", {
  genes <- cobloc_read(example_file("genes.csv"), text = "csv", field = "text", name_field = "gene",
                       label_field = "trait")
  expect_equal(rownames(genes)[1], "ABCA1")
  expect_equal(attr(genes, "text")$language, "en")
  again <- cobloc_read(example_file("genes.csv"), text = "csv", field = "text",
                       vocabulary = colnames(genes))
  expect_equal(unname(as.matrix(again)), unname(as.matrix(genes)))
})
