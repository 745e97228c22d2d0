# expect: failure
# error: ZeroDivisionError
# line: 6
# message-has: ["Traceback (most recent call last):\n",
#    "\n    1 / 0\n", "\nZeroDivisionError: division by zero"]
1 / 0
