# A hint is a note of an exception that a program catches and prints. The text,
# the number and the arguments are Python's. A file that is still missing at
# the end is named in a warning.
# expect: success
# stdout-has: ["directory: 'sales.csv' 2 (2, 'No such file or directory')\n",
#    "directory: 'sales.csv'\nHint: There is a file 'Sales.csv' in the",
#    "\nHint: There is no directory 'out': make it first by os.makedirs",
#    "'/etc/x'\nHint: Only the working directory", "\nHint: The files here"]
# warnings: ["'sales.csv' was not found. There is a file 'Sales.csv'",
#    "'out/a.txt' was not found. There is no directory 'out': make it first"]
# files-out: {"Sales.csv": "", "made.txt": ""}
import os
import traceback

open("Sales.csv", "w").close()
try:
    open("sales.csv")
except OSError as exc:
    print(exc, exc.errno, exc.args)
for tried in (lambda: open("sales.csv"), lambda: open("out/a.txt", "w"),
              lambda: open("/etc/x", "w"), lambda: os.listdir(".config"),
              lambda: open("made.txt")):
    try:
        tried()
    except OSError:
        print(traceback.format_exc())
open("made.txt", "w").close()
