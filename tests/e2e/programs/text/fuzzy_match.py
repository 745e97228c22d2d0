# expect: success
# needs: fuzzywuzzy
# stdout: "('New York', 88)\n"
# stderr-like: .*
# cut
from fuzzywuzzy import fuzz, process

choices = ["New York", "Newark", "York"]
print(process.extractOne("new yrok", choices))
