# needs: tkinter
# expect: failure
# error: TclError
# line: 9
# message-has: ["no display name", "There is no display here"]
# Tk reads its own files before it looks for a display.
import tkinter

window = tkinter.Tk()
