# expect: success
# needs: gmpy2 mpmath
# stdout: "3.14159265358979323846264338328\n1.64493406684822643647241516665\nTrue 1000000000039\n"
# cut
import gmpy2
from mpmath import mp, quad, zeta

mp.dps = 30
print(mp.pi)
print(zeta(2))
print(gmpy2.is_prime(2 ** 127 - 1), gmpy2.next_prime(10 ** 12))
