test_that("a fit can be interrupted, and the best so far is at hand", {
  skip_on_os("windows")
  made <- cobloc_simulate(rows = 3000, cols = 2000, parameters = diag(4, 10) + 1, density = 0.02,
                          seed = 1)
  start <- proc.time()[["elapsed"]]
  system(sprintf("(sleep 1; kill -INT %d) &", Sys.getpid()))
  best <- tryCatch(cobloc(made$x, 10, "plbm", restarts = 100000, seed = 1),
                   interrupt = function(e) e$result)
  expect_lt(proc.time()[["elapsed"]] - start, 60)
  expect_s3_class(best, "cobloc")
  expect_equal(best$stop, "cancelled")
  expect_setequal(best$row_clusters, 1:10)
})
