# expect: failure
# error: ModuleNotFoundError
# told: ["pdfplumber", "pypdf"]
# without: pdfplumber
# cut
import pdfplumber

with pdfplumber.open('/mnt/data/statement.pdf') as pdf:
    for page in pdf.pages:
        print(page.extract_table())
