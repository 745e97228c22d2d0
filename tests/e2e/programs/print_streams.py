# expect: success
# stdout: "one\ntwo three\nno newline"
# stderr: "problem\n"
import sys
print("one")
print("two", "three")
print("problem", file=sys.stderr)
sys.stdout.write("no newline");
