# expect: failure
# error: ModuleNotFoundError
# told: ["spacy", "nltk (tokens and stems; find names and dates by re)"]
# without: spacy
# cut
import spacy

nlp = spacy.load("en_core_web_sm")
doc = nlp("Apple is looking at buying U.K. startup for $1 billion")
print([(ent.text, ent.label_) for ent in doc.ents])
