# expect: failure
# error: SyntaxError
# told: "print"
# cut
x = 5
print "value:", x
