# expect: success
# stdout: "as a script\n"
# final: ["__main__", true]
import sys
if __name__ == "__main__":
    print("as a script")
[__name__, sys.modules["__main__"].__dict__ is globals()]
