# expect: success
# stdin: "Ada\n36\n"
# stdout: "name? age? "
# final: ["Ada", 36]
name = input("name? ")
[name, int(input("age? "))]
