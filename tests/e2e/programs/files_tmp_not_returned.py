# expect: success
# final: "kept"
import tempfile
with tempfile.NamedTemporaryFile("w+", delete=False) as out:
    out.write("kept")
    out.seek(0)
    text = out.read()
with open("/tmp/loose", "w") as out:
    out.write("x")
text
