# expect: success
# stdout-has: "Return the sum"
# stderr-like: .*
# cut
sum?
