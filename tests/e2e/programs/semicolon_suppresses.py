# expect: success
x = 41
x + 1;
