# expect: success
# final: [1, 2]
import pickle


class Box:
    def __init__(self, items):
        self.items = items


pickle.loads(pickle.dumps(Box([1, 2]))).items
