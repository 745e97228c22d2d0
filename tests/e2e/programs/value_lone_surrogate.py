# expect: success
# final: "a\ufffdb"
"a\ud800b"
