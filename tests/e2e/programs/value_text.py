# expect: success
# final: "quote \" back\\slash \u0000 \n \u00e9 \u6f22 \ud83d\ude00 \u2028"
"quote \" back\\slash \0 \n \u00e9 \u6f22 \U0001f600 \u2028"
