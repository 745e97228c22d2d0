# expect: failure
# error: ModuleNotFoundError
# told: ["pymc", "not installed"]
# without: pymc
# cut
import pymc as pm
import arviz as az

with pm.Model():
    mu = pm.Normal("mu", 0, 1)
    trace = pm.sample(500)
print(az.summary(trace))
