# The help pages that are named, as HTML; each begins with @@ and its name. Links lead to #NAME.
pages <- commandArgs(TRUE)
read <- lapply(pages, tools::parse_Rd)
names(read) <- sub("[.]Rd$", "", basename(pages))
links <- unlist(lapply(names(read), function(name) {
  aliases <- Filter(function(part) attr(part, "Rd_tag") == "\\alias", read[[name]])
  setNames(rep(paste0("#", name), length(aliases)), vapply(aliases, paste, "", collapse = ""))
}))
for (name in names(read)) {
  cat("@@", name, "\n", sep = "")
  suppressWarnings(tools::Rd2HTML(read[[name]], Links = links, Links2 = links))
}
