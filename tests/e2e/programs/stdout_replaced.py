# expect: success
# stdout: "real\n"
# final: "caught\n"
import contextlib
import io
import sys
caught = io.StringIO()
with contextlib.redirect_stdout(caught):
    print("caught")
sys.__stdout__.write("real\n")
caught.getvalue()
