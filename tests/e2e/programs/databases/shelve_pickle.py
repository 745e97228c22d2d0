# expect: success
# stdout: "{'a': 1}\n{'k': [1, 2, (3, 4)]}\n"
# files-kinds: {"cache.pkl": "pickle"}
# cut
import os
import pickle
import shelve

with open('/mnt/data/cache.pkl', 'wb') as f:
    pickle.dump({'k': [1, 2, (3, 4)]}, f, protocol=pickle.HIGHEST_PROTOCOL)
with shelve.open('/tmp/shelf') as db:
    db['counts'] = {'a': 1}
with shelve.open('/tmp/shelf') as db:
    print(db['counts'])
print(pickle.load(open('/mnt/data/cache.pkl', 'rb')))
