# expect: failure
# error: TclError
# told: "display"
# cut
import tkinter as tk

root = tk.Tk()
tk.Label(root, text="Hello").pack()
root.mainloop()
