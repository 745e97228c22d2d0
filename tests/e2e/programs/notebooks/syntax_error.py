# A program with a magic and a real mistake is refused for its mistake.
# expect: failure
# error: SyntaxError
# line: 7
%matplotlib inline
x = 1
x = = 2
