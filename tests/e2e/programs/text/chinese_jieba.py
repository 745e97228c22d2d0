# expect: success
# needs: jieba
# stdout: "我/来到/北京/清华大学\n"
# stderr-like: .*
# cut
import jieba
print('/'.join(jieba.cut('我来到北京清华大学')))
