# Bio is not io, and what does its work is told.
# without: Bio
# expect: failure
# error: ModuleNotFoundError
# told: ["Bio is not installed, and nothing can be installed here. Use re"]
# message-lacks: ["Do you mean"]
# cut
from Bio.Seq import Seq

print(Seq("ATGC").reverse_complement())
