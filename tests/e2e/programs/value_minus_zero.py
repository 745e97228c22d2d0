# expect: success
# final: [-0.0, 0.0]
[-0.0, 0.0]
