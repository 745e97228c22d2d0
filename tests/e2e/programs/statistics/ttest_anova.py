# expect: success
# needs: scipy
# stdout: "Welch t = -3.674, significant: True\nANOVA F = 7.671, significant: True\nNormal: True; CI = [4.55, 5.25]\nU = 449\n"
# cut
import numpy as np
from scipy import stats

np.random.seed(7)
a = np.random.normal(5.0, 1.0, 40)
b = np.random.normal(5.8, 1.0, 40)
c = np.random.normal(5.1, 1.0, 40)
t, p = stats.ttest_ind(a, b, equal_var=False)
f, p_anova = stats.f_oneway(a, b, c)
w, p_shapiro = stats.shapiro(a)
ci = stats.t.interval(0.95, len(a) - 1, loc=a.mean(), scale=stats.sem(a))
print(f"Welch t = {t:.3f}, significant: {p < 0.05}")
print(f"ANOVA F = {f:.3f}, significant: {p_anova < 0.05}")
print(f"Normal: {p_shapiro > 0.05}; CI = [{ci[0]:.2f}, {ci[1]:.2f}]")
u = stats.mannwhitneyu(a, b)
print(f"U = {u.statistic:.0f}")
