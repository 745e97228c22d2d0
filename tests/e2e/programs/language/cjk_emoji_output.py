# expect: success
# stdout: "Café ☕ 日本語 🎉 12 b'Caf\\xc3\\xa9'\nb'e'\n"
# files-kinds: {"结果.txt": "text"}
# cut
import unicodedata

text = 'Café ☕ 日本語 🎉'
with open('/mnt/data/结果.txt', 'w', encoding='utf-8') as f:
    f.write(text)
print(text, len(text), text.encode('utf-8')[:5])
print(unicodedata.normalize('NFD', 'é').encode('ascii', 'ignore'))
