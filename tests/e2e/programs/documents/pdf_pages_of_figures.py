# expect: success
# needs: matplotlib
# files-kinds: {"figures.pdf": "pdf"}
# stdout: "3 pages\n"
# cut
from matplotlib.backends.backend_pdf import PdfPages
import matplotlib.pyplot as plt

with PdfPages('/mnt/data/figures.pdf') as pdf:
    for k in range(1, 4):
        fig, ax = plt.subplots()
        ax.plot([0, 1, 2], [0, k, 2 * k])
        ax.set_title(f'Slope {k}')
        pdf.savefig(fig)
        plt.close(fig)
    print(pdf.get_pagecount(), 'pages')
