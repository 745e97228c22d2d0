# expect: success
# needs: nltk
# stdout: "['run', 'runner', 'ran', 'easili', 'ran']\n[('ran', 2)]\n('Running', 'runners') 3\nhaus\n['Don', \"'\", 't', 'panic']\n"
# cut
from nltk.stem import PorterStemmer, SnowballStemmer
from nltk.tokenize import RegexpTokenizer, wordpunct_tokenize
from nltk import FreqDist, bigrams, edit_distance

tokens = RegexpTokenizer(r'\w+').tokenize("Running runners ran easily. Ran!")
ps = PorterStemmer()
print([ps.stem(t.lower()) for t in tokens])
print(FreqDist(t.lower() for t in tokens).most_common(1))
print(list(bigrams(tokens))[0], edit_distance('kitten', 'sitting'))
print(SnowballStemmer('german').stem('Häuser'))
print(wordpunct_tokenize("Don't panic"))
