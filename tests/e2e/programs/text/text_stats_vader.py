# expect: failure
# error: LookupError
# told: ["vader_lexicon"]
# stderr-like: .*
# needs: nltk
# cut
import nltk
nltk.download("vader_lexicon")
from nltk.sentiment import SentimentIntensityAnalyzer
sia = SentimentIntensityAnalyzer()
print(sia.polarity_scores("I love it"))
