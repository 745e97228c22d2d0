# The metrics of rapidfuzz, and the edits between two words.
# expect: success
# stdout: "kitten sitting 3 3 3 5 4 0.746 0.5714\nmartha marhta 2 1 2 2 5
#     0.9611 0.6667\n- abc 3 3 3 3 0 0.0 0.0\nreplace 0 0\nreplace 4 4\ninsert
#     6 6\n2 2 0\nScoreAlignment(score=66.66666666666667, src_start=0,
#     src_end=3, dest_start=8, dest_end=11)\nOpcodes([Opcode(tag='delete',
#     src_start=0, src_end=1, dest_start=0, dest_end=0), Opcode(tag='equal',
#     src_start=1, src_end=3, dest_start=0, dest_end=2), Opcode(tag='replace',
#     src_start=3, src_end=4, dest_start=2, dest_end=3), Opcode(tag='equal',
#     src_start=4, src_end=6, dest_start=3, dest_end=5), Opcode(tag='insert',
#     src_start=6, src_end=6, dest_start=5, dest_end=6)], src_len=6,
#     dest_len=6)\n"
# cut
from rapidfuzz import fuzz
from rapidfuzz.distance import (DamerauLevenshtein, Hamming, Indel,
                                JaroWinkler, LCSseq, Levenshtein)

pairs = [("kitten", "sitting"), ("martha", "marhta"), ("", "abc")]
for one, two in pairs:
    print(one or "-", two, Levenshtein.distance(one, two),
          DamerauLevenshtein.distance(one, two), Hamming.distance(one, two),
          Indel.distance(one, two), LCSseq.similarity(one, two),
          round(JaroWinkler.similarity(one, two), 4),
          round(Levenshtein.normalized_similarity(one, two), 4))
for edit in Levenshtein.editops("kitten", "sitting"):
    print(edit.tag, edit.src_pos, edit.dest_pos)
print(Levenshtein.distance("kitten", "sitting", score_cutoff=1),
      Levenshtein.distance("ab", "ba", weights=(1, 1, 2)),
      fuzz.ratio("abc", None))
print(fuzz.partial_ratio_alignment("fox", "a quick fax jumps"))
print(Levenshtein.opcodes("qabxcd", "abycdf"))
