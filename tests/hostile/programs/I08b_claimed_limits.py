# expect: error|timeout
# A limit that was not reached, by its own account.
class timeout(Exception):
    pass


raise timeout("the time limit was reached")
