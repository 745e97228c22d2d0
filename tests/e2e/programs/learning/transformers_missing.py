# expect: failure
# error: ModuleNotFoundError
# told: "transformers"
# without: transformers
# cut
from transformers import pipeline

classifier = pipeline("sentiment-analysis")
print(classifier("I love this product"))
