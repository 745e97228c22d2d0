# expect: success
# final: 3
# cut

    x = 1

    def two():
        return 2

    x + two()
