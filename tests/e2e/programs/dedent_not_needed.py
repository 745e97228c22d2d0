# A string's own blanks stay when the first line is not indented.
# expect: success
# final: "    a\n      b"
# cut
text = """\
    a
      b"""
text
