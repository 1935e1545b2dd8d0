"""How do I tag texts?

With scikit-learn's vectorizer before the classifier. Tags may come as sets of words, and go out as such.
"""

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from skfactor.multilabel import RidgeBR

texts = ["sun and sea", "snow on the hills", "the sea in snow", "sunny hills"] * 5
tags = [{"beach"}, {"mountain", "winter"}, {"beach", "winter"}, {"mountain"}] * 5

tagger = make_pipeline(TfidfVectorizer(stop_words="english"), RidgeBR()).fit(texts, tags)
for text in ("snow by the sea", "over the hills"):
    print(f"{text}:", *sorted(tagger.predict([text])[0]))
