# expect: success
# needs: z3
# stdout: "95671082\n"
# cut
from z3 import Distinct, Int, Solver, sat

S, E, N, D, M, O, R, Y = letters = [Int(c) for c in 'SENDMORY']
s = Solver()
for v in letters:
    s.add(v >= 0, v <= 9)
s.add(S > 0, M > 0, Distinct(*letters))
send = 1000 * S + 100 * E + 10 * N + D
more = 1000 * M + 100 * O + 10 * R + E
money = 10000 * M + 1000 * O + 100 * N + 10 * E + Y
s.add(send + more == money)
assert s.check() == sat
m = s.model()
print(''.join(str(m[v]) for v in letters))
