# expect: success
# stdout-has: ["sum is 4950", "Wall time"]
# cut
%%time
total = sum(range(100))
print("sum is", total)
