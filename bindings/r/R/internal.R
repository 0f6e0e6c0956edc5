# What the other files share: calls of the library, conditions, options, labels.

bad_argument <- function(...) {
  stop(cobloc_condition("bad argument", paste0(...)))
}

cobloc_condition <- function(status, message, call = NULL) {
  kind <- paste0("cobloc_", gsub("[^a-z]+", "_", status))
  structure(class = c(kind, "cobloc_error", "error", "condition"),
            list(message = message, call = call))
}

# What a call of C answered; a failure becomes a condition with the library's sentence.
check <- function(answer, call = NULL) {
  if (inherits(answer, "cobloc_failure")) stop(cobloc_condition(answer$status, answer$message, call))
  answer
}

# Ctrl-C ends a call as it ends any other; handlers find the best fit so far in the condition.
stop_interrupted <- function(result) {
  condition <- structure(class = c("cobloc_interrupt", "interrupt", "condition"),
                         list(message = "interrupted", call = NULL, result = result))
  signalCondition(condition)
  message("Interrupted.")
  invokeRestart("abort")
}

# A bar as R shows it, or none; a list of the function and what closes it.
progress_bar <- function(show) {
  if (!isTRUE(show)) return(list(report = NULL, close = function() NULL))
  bar <- utils::txtProgressBar(style = 3)
  list(report = function(what, done) utils::setTxtProgressBar(bar, done),
       close = function() close(bar))
}

# The seed of the library: the one that is given, else drawn, so that set.seed() rules it.
draw_seed <- function(seed) {
  if (is.null(seed)) sample.int(.Machine$integer.max, 1) else seed
}

# Labels from 1, factors or words as the library takes them: from 0, -1 where there is none.
labels_in <- function(labels) {
  if (is.null(labels)) return(NULL)
  if (is.factor(labels) || is.character(labels)) labels <- as.integer(factor(labels))
  labels <- as.integer(labels)
  ifelse(is.na(labels), -1L, labels - 1L)
}

labels_out <- function(labels, names = NULL) {
  labels <- ifelse(labels < 0, NA_integer_, labels + 1L)
  names(labels) <- names
  labels
}

# Classes of any kind as codes from 0, with their names.
classes_in <- function(truth) {
  truth <- if (is.factor(truth)) droplevels(truth) else factor(truth)
  codes <- as.integer(truth) - 1L
  list(codes = ifelse(is.na(codes), -1L, codes), names = levels(truth))
}

fit_options <- function(options) {
  if (length(options) && (is.null(names(options)) || any(names(options) == ""))) {
    bad_argument("all options behind ... need a name, such as restarts = 20")
  }
  for (name in intersect(names(options), c("start_rows", "start_cols", "fix_rows", "fix_cols"))) {
    options[[name]] <- labels_in(options[[name]])
  }
  options$base <- lapply(options$base, partition_in)
  if (!length(options$base)) options$base <- NULL
  options
}

partition_in <- function(member) {
  list(name = member$name, row_labels = labels_in(member$row_clusters),
       col_labels = labels_in(member$col_clusters))
}

unless_auto <- function(value) if (identical(value, "auto")) NULL else value

# A list of records as a data frame.
as_frame <- function(records) {
  if (!length(records)) return(data.frame())
  columns <- lapply(names(records[[1]]), function(name) {
    values <- lapply(records, `[[`, name)
    if (any(vapply(values, function(v) is.list(v) || length(v) != 1, NA))) NULL else unlist(values)
  })
  names(columns) <- names(records[[1]])
  do.call(data.frame, c(columns[!vapply(columns, is.null, NA)],
                        stringsAsFactors = FALSE, check.names = FALSE))
}

bloc_names <- function(count) as.character(seq_len(count))

plural <- function(count, word) paste(count, if (count == 1) word else paste0(word, "s"))
