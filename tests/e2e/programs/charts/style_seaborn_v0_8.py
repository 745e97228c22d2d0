# expect: success
# needs: matplotlib
# results: ["image/png"]
# cut
import matplotlib.pyplot as plt
import numpy as np

plt.style.use('seaborn-v0_8-whitegrid')
x = np.linspace(0, 2 * np.pi, 200)
plt.figure(figsize=(8, 4))
plt.plot(x, np.sin(x), label=r'$\sin(x)$')
plt.fill_between(x, np.sin(x), alpha=0.2)
plt.xlabel(r'$\theta$ (rad)')
plt.title(r'$\int_0^{2\pi} \sin\theta\,d\theta = 0$')
plt.legend()
plt.show()
