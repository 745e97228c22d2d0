# expect: success
# needs: matplotlib pandas
# files-in: {"sales.csv": "month,sales,profit\nJan,100,20\nFeb,140,32\nMar,90,11\n"}
# files-kinds: {"chart.png": "png"}
# results: ["image/png"]
# stdout: "Chart saved to /mnt/data/chart.png\n"
# cut
import pandas as pd
import matplotlib.pyplot as plt

df = pd.read_csv('/mnt/data/sales.csv')
fig, axes = plt.subplots(1, 2, figsize=(12, 5))
axes[0].plot(df['month'], df['sales'], marker='o', linewidth=2)
axes[0].set_title('Monthly Sales')
axes[0].grid(True, alpha=0.3)
bars = axes[1].bar(df['month'], df['profit'], color=['#4C72B0'] * 3)
axes[1].bar_label(bars, fmt='$%.0f')
axes[1].set_title('Profit')
plt.tight_layout()
plt.savefig('/mnt/data/chart.png', dpi=150, bbox_inches='tight')
print('Chart saved to /mnt/data/chart.png')
plt.show()
