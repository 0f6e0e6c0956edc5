#' cobloc: co-clustering of sparse tables
#'
#' [cobloc()] groups the rows and the columns of a table at the same time. Start with it, or with
#' `vignette("cobloc")`.
#'
#' @keywords internal
#' @aliases cobloc-package
#' @useDynLib cobloc, .registration = TRUE
#' @importClassesFrom Matrix dgCMatrix
#' @importFrom stats fitted residuals logLik nobs coef predict BIC
"_PACKAGE"
