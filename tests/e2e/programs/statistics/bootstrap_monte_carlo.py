# expect: success
# needs: numpy scipy
# stdout-like: pi is about 3\.1[34]
# stdout-has: "95% CI"
# cut
import numpy as np
from scipy.stats import bootstrap

rng = np.random.default_rng(0)
pts = rng.random((200_000, 2))
print("pi is about %.4f" % (4 * np.mean((pts ** 2).sum(axis=1) <= 1)))
data = rng.exponential(2, 100)
ci = bootstrap((data,), np.mean, n_resamples=999, random_state=rng)
low, high = ci.confidence_interval
print(f"95% CI: {low:.2f} to {high:.2f}")
