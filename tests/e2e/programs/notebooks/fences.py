# A program that is sent with its fences.
# expect: success
# final: 3
# cut
```python
x = 1
x + 2
```
