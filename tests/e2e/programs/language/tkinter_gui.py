# expect: failure
# error: ImportError
# told: "display"
# cut
import tkinter as tk

root = tk.Tk()
tk.Label(root, text="Hello").pack()
root.mainloop()
