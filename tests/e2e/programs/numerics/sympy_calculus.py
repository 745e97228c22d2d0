# expect: success
# needs: sympy
# stdout: "exp(x)*sin(x) + exp(x)*cos(x)\npi\nE\n[2, 3]\nEq(f(x), C1*exp(x))\n\\left[\\begin{matrix}-2 & 1\\\\\\frac{3}{2} & - \\frac{1}{2}\\end{matrix}\\right]\n"
# results: ["text/latex"]
# final-like: .*
# cut
import sympy as sp
from sympy import symbols, integrate, diff, limit, oo, solve, Eq, dsolve

x = symbols('x')
f = sp.Function('f')
print(diff(sp.sin(x) * sp.exp(x), x))
print(integrate(1 / (1 + x ** 2), (x, -oo, oo)))
print(limit((1 + 1 / x) ** x, x, oo))
print(solve(Eq(x ** 2 - 5 * x + 6, 0), x))
print(dsolve(f(x).diff(x) - f(x), f(x)))
print(sp.latex(sp.Matrix([[1, 2], [3, 4]]).inv()))
sp.factor(x ** 3 - 1)
