# expect: success
# final: "a;"
"a;"
