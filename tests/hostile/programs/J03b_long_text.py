# expect: ok|memory
# Fifty megabytes.
"x" * 50000000
