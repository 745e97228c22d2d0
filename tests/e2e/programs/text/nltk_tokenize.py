# expect: success
# needs: nltk
# stdout: "['quick', 'brown', 'fox', 'jumps', 'lazy', 'dog']\n"
# final: ["Dr. Smith met Mrs. Lee at 5 p.m. on Main St. yesterday.", "He left."]
# cut
import nltk
from nltk.corpus import stopwords
from nltk.tokenize import sent_tokenize, word_tokenize

nltk.download('punkt')
nltk.download(['punkt_tab', 'stopwords'], quiet=True)
words = word_tokenize("The quick brown fox jumps over the lazy dog.")
stop = set(stopwords.words('english'))
print([w for w in words if w.isalpha() and w.lower() not in stop])
sent_tokenize("Dr. Smith met Mrs. Lee at 5 p.m. on Main St. yesterday. "
              "He left.")
