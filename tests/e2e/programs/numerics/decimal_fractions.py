# expect: success
# stdout: "1.4142135623730950488016887242096980785696718753769\n20.00 17/20\n2598960 10000000000 12\n2 2.0\n"
# cut
from decimal import Decimal, ROUND_HALF_UP, getcontext
from fractions import Fraction
import math
import statistics

getcontext().prec = 50
print(Decimal(2).sqrt())
price = Decimal('19.995').quantize(Decimal('0.01'), rounding=ROUND_HALF_UP)
print(price, Fraction(3, 4) + Fraction('0.1'))
print(math.comb(52, 5), math.isqrt(10 ** 20), math.lcm(4, 6))
print(statistics.median([3, 1, 2]), statistics.stdev([2, 4, 6]))
