"""process - the choices that are most like a text, and tables of scores."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Iterator, Optional

from .fuzz import WRatio, ratio
from .utils import is_none

Scorer = Callable[..., Any]
Found = tuple[Any, Any, Any]


def _flags(scorer: Scorer) -> tuple[Any, Any, str]:
    """The best and the worst score, and its kind of number."""
    return getattr(scorer, "scorer", (100, 0, "f"))


def _pairs(choices: Any) -> Iterable[tuple[Any, Any]]:
    return choices.items() if hasattr(choices, "items") else \
        enumerate(choices)


def extract_iter(query: Any, choices: Any, *, scorer: Scorer = WRatio,
                 processor: Any = None, score_cutoff: Optional[float] = None,
                 score_hint: Any = None, scorer_kwargs: Any = None,
                 ) -> Iterator[Found]:
    """Each choice that is good enough, in their order."""
    best, worst, _ = _flags(scorer)
    cutoff = worst if score_cutoff is None else score_cutoff
    if is_none(query):
        return
    if processor is not None:
        query = processor(query)
    more = scorer_kwargs or {}
    for key, choice in _pairs(choices):
        if is_none(choice):
            continue
        other = processor(choice) if processor is not None else choice
        score = scorer(query, other, score_cutoff=cutoff, **more)
        if (score >= cutoff) if best > worst else (score <= cutoff):
            yield choice, score, key


def extractOne(query: Any, choices: Any, *, scorer: Scorer = WRatio,
               processor: Any = None, score_cutoff: Optional[float] = None,
               score_hint: Any = None, scorer_kwargs: Any = None,
               ) -> Optional[Found]:
    """The first of the best choices, or None."""
    best, worst, _ = _flags(scorer)
    found: Optional[Found] = None
    for one in extract_iter(query, choices, scorer=scorer,
                            processor=processor, score_cutoff=score_cutoff,
                            scorer_kwargs=scorer_kwargs):
        if found is None or ((one[1] > found[1]) if best > worst else
                             (one[1] < found[1])):
            found = one
            if one[1] == best:
                break
    return found


def extract(query: Any, choices: Any, *, scorer: Scorer = WRatio,
            processor: Any = None, limit: Optional[int] = 5,
            score_cutoff: Optional[float] = None, score_hint: Any = None,
            scorer_kwargs: Any = None) -> list[Found]:
    """The best choices, best first."""
    best, worst, _ = _flags(scorer)
    found = list(extract_iter(query, choices, scorer=scorer,
                              processor=processor, score_cutoff=score_cutoff,
                              scorer_kwargs=scorer_kwargs))
    found.sort(key=lambda one: one[1], reverse=best > worst)
    return found if limit is None else found[:limit]


def _row_score(scorer: Scorer, one: Any, two: Any, cutoff: Any, more: Any,
               ) -> Any:
    if (is_none(one) or is_none(two)) and _flags(scorer)[2] != "f":
        raise ValueError("passed unsupported element None")
    return scorer(one, two, score_cutoff=cutoff, **more)


def _table(shape: Any, scorer: Scorer, dtype: Any) -> Any:
    import numpy
    if dtype is None:
        kind = _flags(scorer)[2]
        dtype = {"f": numpy.float32, "i": numpy.int64,
                 "u": numpy.uint32}[kind]
    return numpy.zeros(shape, dtype=dtype)


def _stored(score: Any, table: Any, multiplier: Any) -> Any:
    """A score as a number of TABLE, whole ones rounded half away from 0."""
    score *= multiplier
    if table.dtype.kind in "iu" and isinstance(score, float):
        return int(score + 0.5) if score >= 0 else -int(0.5 - score)
    return score


def cdist(queries: Any, choices: Any, *, scorer: Scorer = ratio,
          processor: Any = None, score_cutoff: Optional[float] = None,
          score_hint: Any = None, score_multiplier: float = 1,
          dtype: Any = None, workers: int = 1, scorer_kwargs: Any = None,
          ) -> Any:
    """An array of the scores of each query and each choice."""
    more, same = scorer_kwargs or {}, queries is choices
    rows = _processed(queries, processor)
    columns = rows if same else _processed(choices, processor)
    table = _table((len(rows), len(columns)), scorer, dtype)
    for row, one in enumerate(rows):
        for column in range(row if same else 0, len(columns)):
            table[row, column] = _stored(
                _row_score(scorer, one, columns[column], score_cutoff, more),
                table, score_multiplier)
            if same:
                table[column, row] = table[row, column]
    return table


def cpdist(queries: Any, choices: Any, *, scorer: Scorer = ratio,
           processor: Any = None, score_cutoff: Optional[float] = None,
           score_hint: Any = None, score_multiplier: float = 1,
           dtype: Any = None, workers: int = 1, scorer_kwargs: Any = None,
           ) -> Any:
    """An array of the scores of each query and its own choice."""
    rows = _processed(queries, processor)
    columns = _processed(choices, processor)
    if len(rows) != len(columns):
        raise ValueError(
            "Length of queries and choices must be the same!")
    table = _table((len(rows),), scorer, dtype)
    for at, (one, two) in enumerate(zip(rows, columns)):
        table[at] = _stored(_row_score(scorer, one, two, score_cutoff,
                                       scorer_kwargs or {}),
                            table, score_multiplier)
    return table


def _processed(texts: Any, processor: Any) -> list[Any]:
    return [text if processor is None or is_none(text) else processor(text)
            for text in texts]
