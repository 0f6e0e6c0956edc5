library(testthat)
library(cobloc)

test_check("cobloc")
