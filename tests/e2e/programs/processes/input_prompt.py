# expect: failure
# error: EOFError
# told: "standard input"
# stdout: "Enter your name: "
# cut
name = input("Enter your name: ")
print(f"Hello {name}")
