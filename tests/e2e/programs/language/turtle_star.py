# expect: failure
# error: TclError
# told: "display"
# cut
import turtle

t = turtle.Turtle()
for _ in range(5):
    t.forward(100)
    t.right(144)
turtle.done()
