# expect: success
# files-in: {"other.py": "import sys\nvalue = [__name__, sys.argv[1:]]\n"}
# final: ["__main__", ["a", "b c"]]
# cut
%run other.py a "b c"
value
