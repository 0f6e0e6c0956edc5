example_file <- function(name) system.file("extdata", name, package = "cobloc")
nations <- cobloc_read(example_file("nations.csv"))

# The program of the same build: COBLOC_PROGRAM, else the one on the path.
command_line <- function() {
  program <- Sys.getenv("COBLOC_PROGRAM", Sys.which("cobloc"))
  if (!nzchar(program)) skip("there is no cobloc program; COBLOC_PROGRAM says where it is")
  program
}

run_fit <- function(file, ...) {
  folder <- tempfile()
  output <- suppressWarnings(
    system2(command_line(), c("fit", shQuote(file), ..., "-o", folder), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(output, "status"))) return(list(failure = paste(output, collapse = "\n")))
  cluster <- function(name) {
    labels <- utils::read.delim(file.path(folder, name), quote = "")$cluster
    ifelse(labels < 0, NA, labels + 1L)
  }
  list(rows = cluster("rows.tsv"), cols = cluster("cols.tsv"))
}
