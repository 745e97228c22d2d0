# expect: success
# files-out: {"\u6f22 \ud83d\ude00.txt": "1", "two words": "2",
#    "new\nline": "3", "-rf": "4", ".hidden/.x": "5", "quote\"\\": "6",
#    "\u001b[0m": "7", "...": "8"}
import os
os.mkdir(".hidden")
names = ["\u6f22 \U0001f600.txt", "two words", "new\nline", "-rf",
         ".hidden/.x", "quote\"\\", "\x1b[0m", "..."]
for number, name in enumerate(names, 1):
    with open(name, "w") as out:
        out.write(str(number))
