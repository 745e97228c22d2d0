# expect: success
# arguments: {}
# final: "called"


def main():
    return "called"
