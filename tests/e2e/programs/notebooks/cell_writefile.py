# expect: success
# stdout: "Writing helper.py\n"
# files-out: {"helper.py": "print('''\nanything ( goes\n"}
# cut
%%writefile helper.py
print('''
anything ( goes
