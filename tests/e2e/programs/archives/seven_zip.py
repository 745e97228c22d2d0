# expect: success
# Cryptodome binds libraries in a way that sanitizers cannot follow.
# needs: py7zr
# stdout: "['hello.txt']\nhello\n"
# files-kinds: {"out.7z": "7z"}
# stderr-like: .*
# cut
import py7zr

with open('/tmp/hello.txt', 'w') as f:
    f.write('hello')
with py7zr.SevenZipFile('/mnt/data/out.7z', 'w') as archive:
    archive.write('/tmp/hello.txt', 'hello.txt')
with py7zr.SevenZipFile('/mnt/data/out.7z') as archive:
    print(archive.getnames())
    archive.extractall('/tmp/out')
print(open('/tmp/out/hello.txt').read())
