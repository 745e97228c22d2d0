# expect: success
# final: [1, 1.0, true, false, null, "text", 1.5, -3, 1e+300, 0.1]
[1, 1.0, True, False, None, "text", 1.5, -3, 1e300, 0.1]
