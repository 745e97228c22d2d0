# An installation of packages that are there has nothing to do, however the
# program asks for it; one of others fails with a sentence for each.
# needs: pip numpy
# expect: failure
# error: PermissionError
# stdout-like: ^already 0\n(Requirement already satisfied: numpy [0-9.]+\n){4}popen: Requirement already satisfied: (numpy) [0-9.]+ .*main 0 1\n$
# stderr-like: ^transformers is not installed, and nothing can be installed here\.[^\n]*\n$
# told: ["cannot be started here, and nothing can be installed. numpy",
#    "transformers is not installed", "Hint: "]
# line: 28
import os
import subprocess
import sys

import pip

pip_of = [sys.executable, "-m", "pip", "install"]
done = subprocess.run([*pip_of, "-q", "numpy>=1"], capture_output=True,
                      text=True, check=True)
print("already", done.returncode, end=done.stdout + "\n")
subprocess.check_call([*pip_of, "numpy"])
print(subprocess.check_output("pip install numpy", shell=True, text=True),
      end="")
assert os.system("pip3 install --upgrade numpy") == 0
main = pip.main(["install", "numpy"])
print("popen:", os.popen("pip install numpy").read().strip(), "main", main,
      pip.main(["install", "transformers"]))
subprocess.check_call([*pip_of, "numpy", "transformers"])
