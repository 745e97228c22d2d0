# Lines of notebooks do what they say, or are skipped with a sentence.
# expect: success
# stdout-has: ["nobody_has_this is not installed, and nothing can be
#    installed here.", "CPU times: total: ", "Wall time: ", "7 runs",
#    "env: ANIMAL=cat\n", "['a.txt']\n", "first\nsecond\n", "Signature: f(x)\n",
#    "Docstring:\nDoubles.\n", "files a.txt"]
# stderr: "`wget -q x.example | tee b` was not run: programs cannot be started
#    here, and there is no network.\n%nonsense was skipped: this magic does
#    not exist here.\n"
# files-out: {"a.txt": "first\nsecond\n"}
# final: ["cat", "/home/user", 8, 10]
# cut
# a comment
%matplotlib inline
%load_ext autoreload
%autoreload 2
!pip install -q nobody_has_this "other>=2"
%pip install nobody-has-this-either
import os
%env ANIMAL=cat
!echo first > a.txt && echo second >> a.txt
files = !ls
print(files)
!cat a.txt
!wget -q x.example | tee b
%nonsense 1

def f(x):
    """Doubles."""
    return x * 2


f?
for i in range(2):
    %time y = f(i + 1)
t = %timeit -o -n 10 f(1)
name = "a.txt"
!echo files {name}
here = %pwd
[os.environ["ANIMAL"], here, f(y), t.loops]
