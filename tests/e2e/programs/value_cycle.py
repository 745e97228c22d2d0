# expect: success
# final: [1, "[...]", {"self": "{...}"}]
knot = {}
knot["self"] = knot
ring = [1]
ring.append(ring)
ring.append(knot)
ring
