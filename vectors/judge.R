# Judge the answers of a tool: Rscript judge.R ANSWERS.json [known/FAMILY.json ...]
# As judge.py: exit code 0, all is well; 1, something is unsafe or differs; 2, a file is not what it should be.
# Needs the package jsonlite.

HEAD <- c("vectors", "family", "theorem", "ways", "known")
EACH <- c("id", "release", "ask", "truth", "unsafe", "flags", "after")
WORDS <- c("agrees", "looser", "unsafe", "differs", "cannot say")
WRONG <- c("unsafe", "differs")
NEAR <- 1e-6

unreadable <- function(...) stop(structure(
  class = c("unreadable", "error", "condition"), list(message = paste0(...), call = NULL)
))

# A decimal of any length, exactly: digits without zeros around them, times ten to a power.
decimal <- function(text, where) {
  if (!is.character(text)) unreadable(where, " must be a decimal as text.")
  if (tolower(text) == "inf") return(list(sign = 1, digits = "", top = Inf, value = Inf))
  form <- "^([+-]?)([0-9]*)(\\.([0-9]*))?([eE]([+-]?[0-9]+))?$"
  found <- regmatches(text, regexec(form, text))[[1]]
  if (length(found) == 0 || !nzchar(paste0(found[3], found[5])))
    unreadable(where, " must be a decimal; ", substr(text, 1, 40), " is there.")
  whole <- paste0(found[3], found[5])
  digits <- sub("^0+", "", whole)
  power <- if (nzchar(found[7])) as.numeric(found[7]) else 0
  top <- nchar(found[3]) + power - (nchar(whole) - nchar(digits))
  bare <- sub("0+$", "", digits)
  if (!nzchar(bare)) return(list(sign = 0, digits = "", top = -Inf, value = 0))
  list(sign = if (found[2] == "-") -1 else 1, digits = bare, top = top, value = as.numeric(text))
}

compare <- function(a, b) {
  if (a$sign != b$sign || a$sign == 0) return(sign(a$sign - b$sign))
  if (a$top != b$top) return(a$sign * sign(a$top - b$top))
  size <- max(nchar(a$digits), nchar(b$digits))
  x <- utf8ToInt(paste0(a$digits, strrep("0", size - nchar(a$digits))))
  y <- utf8ToInt(paste0(b$digits, strrep("0", size - nchar(b$digits))))
  differ <- which(x != y)
  if (length(differ) == 0) 0 else a$sign * sign(x[differ[1]] - y[differ[1]])
}

read <- function(file) tryCatch(
  jsonlite::fromJSON(file, simplifyVector = FALSE),
  error = function(e) unreadable(basename(file), " cannot be read to its end: ", conditionMessage(e))
)

fields <- function(found, wanted, where) {
  for (name in setdiff(names(found), wanted)) unreadable(where, ": ", name, " is unknown.")
  for (name in setdiff(wanted, names(found))) unreadable(where, ": ", name, " is missing.")
}

vectors <- function(file) {
  tree <- read(file)
  if (!identical(as.numeric(tree$vectors), 1))
    unreadable(basename(file), " has no vectors of version 1.")
  fields(tree, HEAD, basename(file))
  for (place in seq_along(tree$known)) {
    each <- tree$known[[place]]
    where <- paste0(basename(file), ", vector ", place)
    fields(c(each, list(after = NULL)), EACH, where)
    if (!(each$unsafe %in% c("below", "above")) || length(each$truth) != 2)
      unreadable(where, ": unsafe must be below or above, and truth two ends.")
    ends <- lapply(each$truth, decimal, where = where)
    if (compare(ends[[1]], ends[[2]]) > 0)
      unreadable(where, ": the truth ends below where it starts.")
  }
  tree$known
}

judged <- function(each, given) {
  if (is.null(given)) return("cannot say")
  low <- decimal(each$truth[[1]], each$id)
  high <- decimal(each$truth[[2]], each$id)
  answer <- decimal(given, each$id)
  above <- each$unsafe == "above"
  if (if (above) compare(answer, high) > 0 else compare(answer, low) < 0) return("unsafe")
  if (if (above) compare(answer, low) >= 0 else compare(answer, high) <= 0) return("agrees")
  apart <- abs(answer$value - (if (above) low else high)$value)
  if (apart <= NEAR * high$value) "agrees" else "looser"
}

judge <- function(answers, known) {
  ids <- vapply(known, function(each) each$id, "")
  strange <- sort(setdiff(names(answers), ids))
  if (length(strange)) unreadable("There is no vector ", strange[1], ".")
  words <- vapply(known, function(each) judged(each, answers[[each$id]]), "")
  # one question about one release has one answer, whatever was asked before
  asked <- vapply(known, function(each) paste(deparse(each[c("release", "ask")]), collapse = ""), "")
  said <- vapply(known, function(each) {
    given <- answers[[each$id]]
    if (is.null(given)) "" else paste(unlist(decimal(given, each$id)[1:3]), collapse = " ")
  }, "")
  several <- vapply(split(said, asked), function(some) length(unique(some)) > 1, NA)
  ifelse(words != "unsafe" & several[asked], "differs", words)
}

told <- function(known, verdicts) {
  flags <- lapply(known, function(each) c("all", unlist(each$flags)))
  names <- c("all", setdiff(sort(unique(unlist(flags))), "all"))
  row <- function(head, cells) paste(c(formatC(head, width = -22), formatC(cells, width = 10)),
                                     collapse = "  ")
  cat(row("", WORDS), "\n", sep = "")
  for (name in names) {
    here <- verdicts[vapply(flags, function(f) name %in% f, NA)]
    cat(row(name, vapply(WORDS, function(word) sum(here == word), 0)), "\n", sep = "")
  }
  for (place in which(verdicts %in% WRONG))
    cat(known[[place]]$id, ": ", verdicts[place], "\n", sep = "")
}

main <- function(args, here) tryCatch({
  if (length(args) == 0) unreadable("Name the file of answers.")
  answers <- read(args[1])
  files <- if (length(args) > 1) args[-1] else sort(list.files(here, "[.]json$", full.names = TRUE))
  known <- do.call(c, lapply(files, vectors))
  verdicts <- judge(answers, known)
  told(known, verdicts)
  if (any(WRONG %in% verdicts)) 1 else 0
}, unreadable = function(e) {
  message(conditionMessage(e))
  2
})

script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
if (length(script)) {
  quit(status = main(commandArgs(TRUE), file.path(dirname(script), "known")))
}
