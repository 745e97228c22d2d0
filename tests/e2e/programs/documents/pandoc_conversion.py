# expect: failure
# error: PermissionError
# told: ["cannot be started here", "docx"]
# files-kinds: {"notes.md": "text"}
# cut
import subprocess

with open('/mnt/data/notes.md', 'w') as f:
    f.write('# Title\n\nHello')
subprocess.run(['pandoc', '/mnt/data/notes.md', '-o', '/mnt/data/notes.docx'],
               check=True)
