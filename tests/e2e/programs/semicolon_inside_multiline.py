# expect: success
# final: ["a;", "b"]
["a;",  # ;
 "b"]
