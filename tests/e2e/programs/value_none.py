# expect: success
None
