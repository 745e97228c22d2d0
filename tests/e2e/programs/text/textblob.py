# expect: failure
# error: ModuleNotFoundError
# told: ["textblob", "count good and bad words"]
# without: textblob
# cut
from textblob import TextBlob
print(TextBlob("I love it").sentiment)
