# expect: success
# needs: scipy pandas
# stdout: "chi2=1.600 p=0.206 dof=1\nfisher p=0.206\nrho=0.80\n"
# cut
import pandas as pd
from scipy.stats import chi2_contingency, fisher_exact, spearmanr

table = pd.crosstab(pd.Series(list('mmmmmfffff')),
                    pd.Series(list('yyyynnnnny')))
chi2, p, dof, expected = chi2_contingency(table)
print(f"chi2={chi2:.3f} p={p:.3f} dof={dof}")
res = fisher_exact(table)
print(f"fisher p={res[1]:.3f}")
print(f"rho={spearmanr([1, 2, 3, 4], [1, 3, 2, 4]).statistic:.2f}")
