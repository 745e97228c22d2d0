# expect: success
# needs: matplotlib
# results: ["image/png"]
# cut
import matplotlib.pyplot as plt

plt.rcParams['font.sans-serif'] = ['SimHei', 'Microsoft YaHei']
plt.rcParams['axes.unicode_minus'] = False
months = ['一月', '二月', '三月', '四月']
plt.bar(months, [120, 135, 98, 160])
plt.title('月度销售额')
plt.ylabel('金额 (万元)')
plt.show()
