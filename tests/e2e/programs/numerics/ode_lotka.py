# expect: success
# needs: scipy
# stdout: "True 3\n3.1416\n2.25\n[0.368]\n"
# cut
import numpy as np
from scipy.integrate import odeint, quad, solve_ivp
from scipy.interpolate import CubicSpline
from scipy.signal import find_peaks

def lotka(t, z, a=1.5, b=1.0, c=3.0, d=1.0):
    x, y = z
    return [a * x - b * x * y, -c * y + d * x * y]

sol = solve_ivp(lotka, [0, 15], [10, 5], dense_output=True, rtol=1e-8)
t = np.linspace(0, 15, 300)
peaks, _ = find_peaks(sol.sol(t)[0])
print(sol.success, len(peaks))
print(round(quad(lambda v: np.exp(-v ** 2), -np.inf, np.inf)[0] ** 2, 4))
print(round(float(CubicSpline([0, 1, 2], [0, 1, 4])(1.5)), 3))
print(odeint(lambda y, t: -y, 1, [0, 1])[-1].round(3))
