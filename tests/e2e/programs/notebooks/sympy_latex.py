# expect: success
# needs: sympy
# final: "Integral(x**2, x)"
# results: ["text/latex"]
from sympy import Integral, symbols
x = symbols("x")
Integral(x ** 2, x)
