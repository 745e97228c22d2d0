# expect: success
# results: ["image/png"]
# stdout-has: ["x is 5"]
# stderr-like: .*
# needs: matplotlib
# cut
%matplotlib inline
%config InlineBackend.figure_format = 'retina'
!pip install -q seaborn
import matplotlib.pyplot as plt
x = 5
plt.plot([x, x + 1]); plt.show()
print("x is", x)
