# expect: success
# needs: sklearn joblib
# stdout: "['pos', 'neg']\n"
# files-kinds: {"model.pkl": "pickle"}
# cut
import joblib
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

texts = ["great movie loved it", "terrible film hated it",
         "wonderful great acting", "awful terrible plot"]
labels = ["pos", "neg", "pos", "neg"]
model = make_pipeline(TfidfVectorizer(stop_words='english'), MultinomialNB())
model.fit(texts, labels)
joblib.dump(model, '/mnt/data/model.pkl')
again = joblib.load('/mnt/data/model.pkl')
print(again.predict(["a great plot", "hated awful"]).tolist())
