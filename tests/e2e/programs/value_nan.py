# expect: success
# final: null
# warnings: ["a value that is NaN, NaT or infinite became null"]
float("nan")
