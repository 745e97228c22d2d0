# expect: success
# files-in: {"shower.py": "def show():\n    display([1, 2])\n"}
# results: ["text/plain"]
import shower
shower.show()
