# Programs of language models use these names without an import.
# expect: success
# needs: numpy pandas matplotlib
# final: [true, true, true]
import sys

[globals().get(name) is sys.modules.get(module) for name, module in (
    ("np", "numpy"), ("pd", "pandas"), ("plt", "matplotlib.pyplot"))]
