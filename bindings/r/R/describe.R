#' What the blocs are about
#'
#' Lists the columns that tell each bloc from the others, its most frequent and its most coherent
#' ones, and its typical rows.
#'
#' @param object A fit of [cobloc()].
#' @param terms Number of columns in each list.
#' @param rows Number of typical and borderline rows.
#' @param x The table that was fitted, where the fit does not hold it.
#' @param ... Other options, see `cobloc_options("describe")`.
#' @return An object of class `cobloc_description`: a list with `blocs`, one element each, with its
#'   `name`, numbers of `rows` and `columns`, and data frames `telling` (log-likelihood ratio),
#'   `frequent`, `coherent` (normalised pointwise mutual information), `typical` and `borderline`;
#'   `topics`, the same of column clusters where these are not paired; `lifts` and `densities` of all
#'   blocks; and mean coherence, `npmi` and `jaccard`.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' about <- cobloc_describe(cobloc(nations, k = 6, model = "coclus", seed = 1))
#' about
#' about$blocs[[1]]$telling
#' @export
cobloc_describe <- function(object, terms = 10, rows = 5, x = object$x, ...) {
  table <- as_table(x)
  answer <- check(.Call(r_describe, object$saved, table,
                        list(terms = terms, rows = rows, ...)), match.call())
  names <- list(row = or(table$row_names, as.character(seq_len(table$rows))),
                col = or(table$col_names, as.character(seq_len(table$cols))))
  clusters <- list(rows = bloc_names(object$k), cols = names(object$col_sizes))
  structure(class = "cobloc_description",
            list(blocs = lapply(answer$blocs, describe_bloc, names),
                 topics = lapply(answer$topics, describe_bloc, names),
                 lifts = with_names(answer$lifts, clusters$rows, clusters$cols),
                 densities = with_names(answer$densities, clusters$rows, clusters$cols),
                 npmi = answer$npmi, jaccard = answer$jaccard))
}

describe_bloc <- function(bloc, names) {
  lists <- lapply(bloc[c("telling", "frequent", "coherent")], function(terms) {
    name_lines(as_frame(terms), "col", "column", names$col)
  })
  examples <- lapply(bloc[c("typical", "borderline")], function(rows) {
    frame <- name_lines(as_frame(rows), "row", "row", names$row)
    if (nrow(frame)) frame[["next"]] <- labels_out(frame[["next"]])
    frame
  })
  c(list(name = bloc$name, rows = bloc$rows, columns = bloc$cols, sum = bloc$sum,
         density = bloc$density, npmi = bloc$npmi, jaccard = bloc$jaccard), lists, examples)
}

# Numbers of lines from 0 become their names.
name_lines <- function(frame, from, to, names) {
  if (!nrow(frame)) return(frame)
  frame[[from]] <- names[frame[[from]] + 1]
  names(frame)[names(frame) == from] <- to
  frame
}

#' Print a description
#'
#' @param x A description of [cobloc_describe()].
#' @param terms Number of columns, and of rows, to show of each bloc.
#' @param ... Not used.
#' @return `x`, invisibly.
#' @export
print.cobloc_description <- function(x, terms = 8, ...) {
  for (b in seq_along(x$blocs)) {
    bloc <- x$blocs[[b]]
    cat(sprintf("%d: %s (%s, %s)\n", b, bloc$name, plural(bloc$rows, "row"),
                plural(bloc$columns, "column")))
    show_members("telling", bloc$telling$column, terms)
    show_members("typical", bloc$typical$row, terms)
  }
  for (t in seq_along(x$topics)) {
    topic <- x$topics[[t]]
    cat(sprintf("columns %d: %s (%s)\n", t, topic$name, plural(topic$columns, "column")))
    show_members("telling", topic$telling$column, terms)
  }
  invisible(x)
}

show_members <- function(word, members, most) {
  if (!length(members)) return()
  cat(strwrap(paste0(word, ": ", paste(utils::head(members, most), collapse = ", ")),
              indent = 2, exdent = 4), sep = "\n")
}

#' A report as a web page
#'
#' Writes one HTML file that needs nothing else: the table as it came and in the order of the blocs,
#' the blocks, what each bloc is about, how the fit went, and a search for any row or column.
#'
#' @inheritParams cobloc_describe
#' @param file The file to write, such as `"report.html"`.
#' @param truth Known classes of the rows, or `NULL`.
#' @param title Title of the page.
#' @param row_word,col_word What rows and columns are, in the plural: `"countries"`,
#'   `"organisations"`.
#' @return The file's name, invisibly.
#' @examples
#' nations <- cobloc_read(system.file("extdata", "nations.csv", package = "cobloc"))
#' fit <- cobloc(nations, k = 6, model = "coclus", seed = 1)
#' page <- cobloc_report(fit, tempfile(fileext = ".html"), title = "Nations",
#'                       row_word = "countries", col_word = "organisations")
#' file.size(page) > 10000
#' @export
cobloc_report <- function(object, file, truth = NULL, title = NULL, row_word = NULL,
                          col_word = NULL, x = object$x, ...) {
  options <- list(title = title, row_word = row_word, col_word = col_word, ...)
  if (!is.null(truth)) {
    classes <- classes_in(truth)
    options$truth <- classes$codes
    options$class_names <- classes$names
  }
  check(.Call(r_report, object$saved, as_table(x), options, path.expand(file)), match.call())
  invisible(file)
}

#' Results in folders
#'
#' Writes a fit as the command line does (`rows.tsv`, `cols.tsv`, `model.json`), and reads such a
#' folder. An object of class `cobloc` can also be kept by [saveRDS()], as any other.
#'
#' @param object A fit of [cobloc()].
#' @param folder The folder; it is made if need be, and replaced as a whole.
#' @param path The file with the table that was fitted, where it is not where it was then.
#' @param x The table that was fitted, where the fit does not hold it.
#' @return `cobloc_save`: the folder, invisibly. `cobloc_load`: an object of class `cobloc`.
#' @examples
#' csv <- system.file("extdata", "nations.csv", package = "cobloc")
#' fit <- cobloc(cobloc_read(csv), k = 6, model = "coclus", seed = 1)
#' folder <- cobloc_save(fit, tempfile())
#' list.files(folder)
#' again <- cobloc_load(folder, csv)
#' identical(again$row_clusters, fit$row_clusters)
#' @export
cobloc_save <- function(object, folder, x = object$x) {
  check(.Call(r_save, object$saved, as_table(x), path.expand(folder)), match.call())
  invisible(folder)
}

#' @rdname cobloc_save
#' @export
cobloc_load <- function(folder, path = NULL) {
  call <- match.call()
  answer <- check(.Call(r_load, path.expand(folder), if (!is.null(path)) path.expand(path)), call)
  make_fit(answer$fit, from_table(answer$table), answer$table, call)
}
