"""words - counts of words and of pairs of words in a text."""

from __future__ import annotations

import re
from collections import Counter
from math import log
from typing import Iterable, Optional

# Words that are no subjects.
STOPWORDS = set("""
a about above after again against all also am an and any are as at be
because been before being below between both but by can cannot com could
did do does doing down during each else ever few for from further get had
has have having he hence her here hers herself him himself his how however
http i if in into is it its itself just k like me more most my myself no
nor not of off on once only or other otherwise ought our ours ourselves
out over own r same shall she should since so some such than that the
their theirs them themselves then there therefore these they this those
through to too under until up very was we were what when where which while
who whom why with would www you your yours yourself yourselves aren't
can't couldn't didn't doesn't don't hadn't hasn't haven't he'd he'll he's
here's how's i'd i'll i'm i've isn't it's let's mustn't shan't she'd
she'll she's shouldn't that's there's they'd they'll they're they've
wasn't we'd we'll we're we've weren't what's when's where's who's why's
won't wouldn't you'd you'll you're you've
""".split())
Counts = dict[str, int]


def split(text: str, regexp: Optional[str], numbers: bool, least: int,
          ) -> list[str]:
    """The words of TEXT, in their order."""
    pattern = regexp or (r"\w[\w']*" if least <= 1 else r"\w[\w']+")
    words = [word[:-2] if word.lower().endswith("'s") else word
             for word in re.findall(pattern, text)]
    return [word for word in words
            if (numbers or not word.isdigit()) and len(word) >= least]


def counted(words: Iterable[str], plurals: bool,
            ) -> tuple[Counts, dict[str, str]]:
    """How often each word is there, and its usual form by its small letters.

    With PLURALS, forms with an s are counted with those without it, if both
    are there.
    """
    forms: dict[str, Counter[str]] = {}
    for word in words:
        forms.setdefault(word.lower(), Counter())[word] += 1
    merged = {}
    for plural in list(forms) if plurals else ():
        single = plural[:-1]
        if plural.endswith("s") and not plural.endswith("ss") and \
                single in forms:
            for word, count in forms.pop(plural).items():
                forms[single][word[:-1]] += count
            merged[plural] = single
    counts, usual = {}, {}
    for small, cases in forms.items():
        usual[small] = max(cases, key=cases.__getitem__)
        counts[usual[small]] = sum(cases.values())
    for plural, single in merged.items():
        usual[plural] = usual[single]
    return counts, usual


def with_pairs(words: list[str], stopwords: set[str], plurals: bool,
               threshold: float) -> Counts:
    """Counts of words, and of pairs that stand together more than by chance.
    """
    kept = [word for word in words if word.lower() not in stopwords]
    pairs = [f"{one} {two}" for one, two in zip(words, words[1:])
             if one.lower() not in stopwords and
             two.lower() not in stopwords]
    counts, usual = counted(kept, plurals)
    alone = dict(counts)
    for pair, count in counted(pairs, plurals)[0].items():
        one, two = (usual[word.lower()] for word in pair.split(" "))
        if _together(count, alone[one], alone[two], len(kept)) > threshold:
            counts[one] -= count
            counts[two] -= count
            counts[pair] = count
    return {word: count for word, count in counts.items() if count > 0}


def _chance(hits: int, tries: int, share: float) -> float:
    """The logarithm of the likelihood of HITS in TRIES."""
    return (log(max(share, 1e-10)) * hits +
            log(max(1 - share, 1e-10)) * (tries - hits))


def _together(both: int, one: int, two: int, words: int) -> float:
    """Dunning's likelihood ratio of two words being next to each other."""
    if words <= one or words <= two:
        return 0
    share, after, else_ = two / words, both / one, (two - both) / (words - one)
    return -2 * (_chance(both, one, share) +
                 _chance(two - both, words - one, share) -
                 _chance(both, one, after) -
                 _chance(two - both, words - one, else_))
