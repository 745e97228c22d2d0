# expect: success
# final: [["b 2"], ["0"], ["2"]]
# files-out: {"t.txt": "a\nb 2\n"}
# cut
!echo a > t.txt && echo b 2 >> t.txt
one = !cat t.txt | grep B -i
count = !pip list | grep -i nothing_of_this | wc -l
lines = !cat t.txt | wc -l
[one, count, lines]
