# expect: success
# stdout: "[('alice@example.com', 2), ('bob.smith@test.org', 1)]\nPhone: +1 (555) 123-4567, order #A-1029 on 05/03/2024. alice@example.com\nA-1029\n"
# cut
import re
from collections import Counter

text = """Contact: alice@example.com or bob.smith@test.org.
Phone: +1 (555) 123-4567, order #A-1029 on 2024-03-05. alice@example.com"""
emails = re.findall(r'[\w.+-]+@[\w-]+\.[\w.-]+\w', text)
print(Counter(emails).most_common())
print(re.sub(r'(\d{4})-(\d{2})-(\d{2})', r'\3/\2/\1', text).splitlines()[1])
m = re.search(r'#(?P<code>[A-Z]-\d+)', text)
print(m['code'] if m else None)
