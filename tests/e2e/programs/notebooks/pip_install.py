# expect: success
# stdout-like: (?s)pandas.*
# stdout-has: "42"
# cut
!pip install pandas pyarrow -q
%pip install somethingrare==1.0
print(42)
