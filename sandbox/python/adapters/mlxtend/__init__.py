"""mlxtend - what is bought together: frequent sets of items and their rules.

frequent_patterns (apriori, fpgrowth, fpmax, association_rules) and
preprocessing.TransactionEncoder, of mlxtend 0.23, with pandas. Its estimators
and plots are not here.
"""

from __future__ import annotations

from . import frequent_patterns, preprocessing

__version__ = "0.23.4"
__all__ = ["frequent_patterns", "preprocessing"]


def __getattr__(name: str) -> object:
    raise AttributeError(
        f"mlxtend.{name} is not here; mlxtend.frequent_patterns and "
        "mlxtend.preprocessing are, and sklearn for the others")
