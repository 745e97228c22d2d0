# expect: failure
# needs: python:3.11
# error: ExceptionGroup
# line: 6
# message-has: ["several (2 sub-exceptions)", "ValueError: 1", "KeyError: 2"]
raise ExceptionGroup("several", [ValueError(1), KeyError(2)])
