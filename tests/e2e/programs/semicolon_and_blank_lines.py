# expect: success
1 + 1 ;   


# done
