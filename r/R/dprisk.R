# Every function hands its arguments to the Python function of the same name. Numbers come back as
# the same doubles; a number that is not there is NA.

python <- function(module = "dprisk") {
  tryCatch(
    import(module, convert = FALSE),
    error = function(e) stop(
      "The Python package dprisk is not there. Install it (pip install dprisk), and tell ",
      "reticulate which Python has it: reticulate::use_python(\"/path/to/python\").", call. = FALSE
    )
  )
}

# Whether Python has the package; a folder of the same name is none.
available <- function() {
  tryCatch(!is.null(import("dprisk")$`__version__`), error = function(e) FALSE)
}

# Python's errors say what is wrong and what to do; its traceback says nothing to a user of R.
asked <- function(call) {
  tryCatch(call, error = function(e) {
    text <- sub("^([A-Za-z_]+[.])+[A-Za-z]+: ", "", conditionMessage(e))
    stop(trimws(sub("\nRun `?reticulate.*$", "", text)), call. = FALSE)
  })
}

# A row for each of a list of records, with the columns named.
rows <- function(records, columns) {
  made <- lapply(records, function(record) {
    cells <- lapply(columns, function(name) if (is.null(record[[name]])) NA else record[[name]])
    as.data.frame(stats::setNames(cells, columns), stringsAsFactors = FALSE)
  })
  if (length(made)) do.call(rbind, made) else {
    as.data.frame(stats::setNames(rep(list(logical(0)), length(columns)), columns))
  }
}

numbers <- function(values) as.list(as.numeric(values))

given <- function(...) Filter(Negate(is.null), list(...))

# A promise of differential privacy
promise <- function(neighbors, epsilon = NULL, delta = NULL, rho = NULL, mu = NULL, alpha = NULL,
                    gamma = NULL) {
  of <- python()
  said <- names(given(epsilon = epsilon, delta = delta, rho = rho, mu = mu, alpha = alpha,
                      gamma = gamma))
  key <- paste(said, collapse = " ")
  asked(switch(
    key,
    "epsilon" = of$PureDP(epsilon, neighbors = neighbors),
    "epsilon delta" = of$ApproxDP(epsilon, delta, neighbors = neighbors),
    "rho" = of$ZeroConcentratedDP(rho, neighbors = neighbors),
    "mu" = of$GaussianDP(mu, neighbors = neighbors),
    "alpha gamma" = of$RenyiDP(numbers(alpha), numbers(gamma), neighbors = neighbors),
    stop("Give epsilon, epsilon and delta, rho, mu, or alpha and gamma; given: ",
         if (nzchar(key)) key else "nothing", ".", call. = FALSE)
  ))
}

# A mechanism
mechanism <- function(kind, ...) {
  of <- python("dprisk.mechanisms")
  if (!(kind %in% py_to_r(import("builtins", convert = FALSE)$list(of[["__all__"]]))))
    stop("There is no mechanism called ", kind, ".", call. = FALSE)
  asked(do.call(of[[kind]], list(...)))
}

# A release, read from a file
release <- function(path, ...) asked(python()$read_release(path.expand(path), ...))

# What someone may learn from a release
assess <- function(what, prior = c(0.1, 0.5), confidence = NULL, secret = "membership",
                   limits = NULL) {
  of <- python()
  made <- asked({
    who <- do.call(of$Adversary, given(secret = secret, priors = numbers(prior),
                                       confidence = confidence))
    do.call(of$assess, c(list(what, who), given(limits = limits)))
  })
  tree <- asked(py_to_r(made$to_dict()))
  columns <- c("metric", "prior", "lower", "upper", "lower_bound", "upper_bound", "theorem")
  found <- if (length(tree$statements)) rows(tree$statements[[1]]$findings, columns) else
    rows(list(), columns)
  structure(found, headline = tree$headline, kept = tree$kept,
            assumptions = if (length(tree$statements)) unlist(tree$statements[[1]]$assumptions))
}

# What several promises and mechanisms add up to
compose <- function(parts, times = rep(1, length(parts)), epsilon = NULL, delta = NULL) {
  of <- python("dprisk.composition")
  sum <- asked({
    has <- import("builtins", convert = FALSE)$hasattr
    losses <- lapply(parts, function(part) if (py_to_r(has(part, "loss"))) part$loss() else part)
    of$compose(losses, as.list(as.integer(times)))$guarantee
  })
  one <- function(asks, at, answer) {
    ends <- py_to_r(asked(answer(at))$bracket)
    data.frame(asks = asks, at = at, lower = as.numeric(ends[[1]]), upper = as.numeric(ends[[2]]))
  }
  do.call(rbind, c(
    lapply(epsilon, function(e) one("delta", e, function(at) sum$delta(at))),
    lapply(delta, function(d) one("epsilon", d, function(at) sum$epsilon(at)))
  ))
}

# A risk profile: a ratio for those who believe much, a posterior for those who believe little
profile_limit <- function(ratio, posterior, membership_prior = NULL, value_prior = NULL) {
  of <- python("dprisk.budget")
  asked(do.call(of$ratio_or_posterior, c(
    list(ratio, posterior), given(membership_prior = membership_prior, value_prior = value_prior)
  )))
}

# The largest epsilon of pure DP that keeps a risk profile
budget <- function(profile) {
  found <- asked(python("dprisk.budget")$solve(profile)$epsilon)
  data.frame(epsilon = py_to_r(found$value), bound = py_to_r(found$bound),
             theorem = py_to_r(import("builtins", convert = FALSE)$str(found$theorem)))
}

# A release, explained
explain <- function(what, audience = "data-subject", language = "en") {
  made <- asked(python("dprisk.documents")$explain(what, audience, language = language))
  structure(py_to_r(import("builtins", convert = FALSE)$str(made)), class = "dprisk_explanation")
}

print.dprisk_explanation <- function(x, ...) {
  cat(unclass(x), "\n", sep = "")
  invisible(x)
}

# A report of a release, written to a file
report <- function(what, path, prior = NULL, limits = NULL, force = FALSE) {
  asked({
    more <- given(priors = if (!is.null(prior)) numbers(prior), limits = limits)
    made <- do.call(python("dprisk.documents")$report, c(list(what), more))
    made$save(path.expand(path), force = force)
  })
  invisible(path)
}
