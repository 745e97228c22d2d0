# Without arguments a function called main is only a function.
# expect: success


def main():
    print("called")
