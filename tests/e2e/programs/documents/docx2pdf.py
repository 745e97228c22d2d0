# expect: failure
# error: ModuleNotFoundError
# told: ["docx2pdf"]
# without: docx2pdf
# cut
from docx2pdf import convert
convert("/mnt/data/report.docx", "/mnt/data/report.pdf")
