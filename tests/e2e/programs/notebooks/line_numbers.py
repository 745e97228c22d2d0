# A failure behind a magic is told at its line.
# expect: failure
# error: ZeroDivisionError
# line: 10
# stdout-has: "`pip list` shows them"
%config InlineBackend.figure_format = 'retina'
!pip \
    --version
x = 0
1 / x
