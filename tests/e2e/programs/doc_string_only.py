# expect: success
# final: "only a text"
"only a text"
