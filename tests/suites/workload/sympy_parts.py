# Symbols: integrals, equations, series, lambdify, number theory, LaTeX.
import sympy as sp

x, y = sp.symbols("x y")
{
    "integral": str(sp.integrate(x * sp.exp(x), x)),
    "gauss": str(sp.integrate(sp.exp(-x ** 2), (x, -sp.oo, sp.oo))),
    "solve": str(sp.solve([x + y - 3, x - y - 1], [x, y])),
    "series": str(sp.series(sp.sin(x), x, 0, 6)),
    "limit": str(sp.limit(sp.sin(x) / x, x, 0)),
    "latex": sp.latex(sp.sqrt(x) / 2),
    "factors": str(sp.factorint(2 ** 64 + 1)),
    "lambda": float(sp.lambdify(x, x ** 2 + 1, "numpy")(3.0)),
    "pi": str(sp.pi.evalf(40)),
    "matrix": str(sp.Matrix([[1, 2], [3, 4]]).inv()),
    "dsolve": str(sp.dsolve(sp.Function("f")(x).diff(x) -
                            sp.Function("f")(x))),
    "parsed": str(sp.sympify("(a+b)**2").expand()),
}
# expected: {
#   "integral": "(x - 1)*exp(x)",
#   "gauss": "sqrt(pi)",
#   "solve": "{x: 2, y: 1}",
#   "series": "x - x**3/6 + x**5/120 + O(x**6)",
#   "limit": "1",
#   "latex": "\\frac{\\sqrt{x}}{2}",
#   "factors": "{274177: 1, 67280421310721: 1}",
#   "lambda": 10.0,
#   "pi": "3.141592653589793238462643383279502884197",
#   "matrix": "Matrix([[-2, 1], [3/2, -1/2]])",
#   "dsolve": "Eq(f(x), C1*exp(x))",
#   "parsed": "a**2 + 2*a*b + b**2"
# }
