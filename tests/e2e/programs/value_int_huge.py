# expect: success
# final-like: ^7{1000}$
int("7" * 1000)
