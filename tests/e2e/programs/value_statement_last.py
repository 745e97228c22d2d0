# expect: success
# stdout: "0\n1\n"
x = 3
for i in range(2):
    print(i)
