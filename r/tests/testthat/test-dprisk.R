there <- function() skip_if_not(dprisk:::available(), "no dprisk in Python")

in_python <- function(code) {
  reticulate::py_run_string(paste0("import dprisk\nfrom dprisk import *\n", code))$found
}

test_that("bounds are those of Python, to the last bit", {
  there()
  found <- assess(promise("add-remove", epsilon = 1, delta = 1e-6), prior = 0.1, confidence = 0.99)
  upper <- in_python(
    "found = disclosure(ApproxDP(1.0, 1e-6, neighbors='add-remove'), confidence=0.99).posterior(0.1).upper.value"
  )
  expect_identical(found$upper[found$metric == "posterior"], upper)
  expect_match(attr(found, "headline"), "at most 24 in 100")
  expect_true(any(is.na(found$prior)))
})

test_that("sums are those of Python, to the last bit", {
  there()
  laplace <- mechanism("Laplace", scale = 10, sensitivity = 1, neighbors = "add-remove")
  found <- compose(list(laplace, promise("add-remove", epsilon = 0.25)), c(100, 2),
                   epsilon = 1, delta = c(1e-6, 1e-9))
  ends <- in_python(paste0(
    "from dprisk.mechanisms import Laplace\nfrom dprisk.composition import compose\n",
    "a = Laplace(scale=10.0, sensitivity=1.0, neighbors='add-remove').loss()\n",
    "s = compose([a, PureDP(0.25, neighbors='add-remove')], [100, 2]).guarantee\n",
    "found = [*s.delta(1.0).bracket, *s.epsilon(1e-6).bracket, *s.epsilon(1e-9).bracket]"
  ))
  expect_identical(as.vector(rbind(found$lower, found$upper)), as.numeric(ends))
  expect_identical(found$asks, c("delta", "epsilon", "epsilon"))
})

test_that("a budget is that of the paper", {
  there()
  found <- vapply(c(1.5, 3, 6), function(r) budget(profile_limit(r, 0.25, value_prior = 1))$epsilon, 0)
  expect_equal(round(found, 2), c(0.51, 1.30, 2.04))
})

test_that("limits are kept or not", {
  there()
  kept <- function(limit) attr(assess(promise("add-remove", epsilon = 1), 0.5,
                                      limits = list(posterior = limit)), "kept")
  expect_true(kept(0.8))
  expect_false(kept(0.7))
})

test_that("documents are written", {
  there()
  expect_output(print(explain(promise("add-remove", epsilon = 1))), "at most")
  path <- tempfile(fileext = ".md")
  expect_identical(report(promise("add-remove", epsilon = 1), path), path)
  expect_match(paste(readLines(path), collapse = " "), "at most")
  expect_error(report(promise("add-remove", epsilon = 1), path), "exists")
})

test_that("bad input is named, without a traceback", {
  there()
  expect_error(promise("add-remove"), "given: nothing")
  expect_error(promise("add-remove", epsilon = -1), "epsilon must be a number in [0, inf]", fixed = TRUE)
  expect_error(promise("both", epsilon = 1), "neighbors")
  expect_error(mechanism("Noise", scale = 1), "no mechanism called Noise")
  expect_error(release("nowhere.yaml"), "There is no such file")
  expect_error(assess(promise("add-remove", epsilon = 1), prior = 2), "prior")
})
