# expect: success
# needs: pint uncertainties
# stdout: "27.78\n20.0 1.0\n"
# stderr-like: .*
# cut
import pint
from uncertainties import ufloat

ureg = pint.UnitRegistry()
speed = 100 * ureg.kilometer / ureg.hour
print(f"{speed.to('m/s').magnitude:.2f}")
x = ufloat(10, 0.5)
print((x * 2).n, round((x * 2).s, 2))
