library(testthat)
library(dprisk)

test_check("dprisk")
