# expect: success
# files-in: {"notes.txt": "one\ntwo\n"}
# stdout-has: ["notes.txt", "lines: 2"]
# stderr-like: .*
# cut
!ls /mnt/data
with open('/mnt/data/notes.txt') as f:
    print('lines:', len(f.readlines()))
