# expect: success
# final: null
float("nan")
