# expect: success
1 + 1;  # a comment
