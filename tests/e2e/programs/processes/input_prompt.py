# expect: failure
# error: EOFError
# told: ["input()", "Send it in the request"]
# stdout: "Enter your name: "
# cut
name = input("Enter your name: ")
print(f"Hello {name}")
