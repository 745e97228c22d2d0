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
