# expect: memory memory_mb=200
# As much, at once.
import numpy

print(attempt(lambda: numpy.zeros(2 ** 40, dtype="u1").nbytes))
numpy.ones((20000, 20000)).sum()
