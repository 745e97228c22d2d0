# expect: success
# needs: matplotlib
# check: check_pdf
import matplotlib.pyplot as plt
plt.plot([1, 2, 3])
plt.savefig("page.pdf")
plt.close()
