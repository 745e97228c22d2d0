# expect: failure
# error: ModuleNotFoundError
# told: "flask"
# without: flask
# cut
from flask import Flask, jsonify

app = Flask(__name__)

@app.route('/')
def index():
    return jsonify(ok=True)

app.run(port=5000)
