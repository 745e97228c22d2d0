# expect: success
# needs: nltk
# stdout-has: "['quick', 'brown', 'fox', 'jumps', 'lazy', 'dog']"
# stderr-like: .*
# warnings: ["punkt"]
# cut
import nltk
from nltk.corpus import stopwords
from nltk.tokenize import word_tokenize

nltk.download('punkt')
nltk.download('stopwords')
words = word_tokenize("The quick brown fox jumps over the lazy dog.")
stop = set(stopwords.words('english'))
print([w for w in words if w.isalpha() and w.lower() not in stop])
