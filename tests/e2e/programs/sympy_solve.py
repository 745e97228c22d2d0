# expect: success
# needs: sympy
# final: ["-2", "2", "x**3/3"]
import sympy
x = sympy.Symbol("x")
roots = sympy.solve(x ** 2 - 4, x)
[str(root) for root in roots] + [str(sympy.integrate(x ** 2, x))]
