# expect: failure
# error: KeyboardInterrupt
# line: 4
raise KeyboardInterrupt
