# expect: success
# cut
%%capture out
print("not seen")
