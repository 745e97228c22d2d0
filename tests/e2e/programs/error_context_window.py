# expect: failure
# error: IndexError
# line: 6
# message-has: "Code context:\n2: b = 2\n3: c = 3\n4: d = 4\n5: \n6: [][0]\n7:
#    \n8: f = 8\n9: g = 9\n10: h = 10"
# message-lacks: ["1: a = 1\n2", "11: i"]
# cut
a = 1
b = 2
c = 3
d = 4

[][0]

f = 8
g = 9
h = 10
i = 11
