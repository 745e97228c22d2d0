# expect: failure
# error: ModuleNotFoundError
# told: ["textblob"]
# without: textblob
# cut
from textblob import TextBlob
print(TextBlob("I love it").sentiment)
