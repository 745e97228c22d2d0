# expect: error
# Exceptions that are not errors.
for odd in (GeneratorExit, KeyboardInterrupt, StopIteration):
    try:
        raise odd
    except BaseException:
        pass
raise SystemExit("bye\n" * 3)
