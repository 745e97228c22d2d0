"""nltk_data - the two parts of nltk's data that most programs ask for.

Debian has nltk without its data, and it cannot be downloaded here. Sentences
are split by punkt's rules with a short list of abbreviations, and the English
stop words are here; to download these succeeds without a word. An operator's
nltk_data comes first, if it is installed.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .adopt import when_imported
from .channels import warn

import functools
from typing import Any

_STOP = """i me my myself we our ours ourselves you you're you've you'll you'd
your yours yourself yourselves he him his himself she she's her hers herself
it it's its itself they them their theirs themselves what which who whom this
that that'll these those am is are was were be been being have has had having
do does did doing a an the and but if or because as until while of at by for
with about against between into through during before after above below to
from up down in out on off over under again further then once here there when
where why how all any both each few more most other some such no nor not only
own same so than too very s t can will just don don't should should've now d
ll m o re ve y ain aren aren't couldn couldn't didn didn't doesn doesn't hadn
hadn't hasn hasn't haven haven't isn isn't ma mightn mightn't mustn mustn't
needn needn't shan shan't shouldn shouldn't wasn wasn't weren weren't won
won't wouldn wouldn't""".split()

_SHORT = """dr mr mrs ms prof rev gen sen rep gov hon st mt jr sr ph.d m.d b.a
m.a u.s u.k u.n e.u a.m p.m e.g i.e cf vs al no nos vol pp fig figs eq eqs ch
sec approx dept est inc ltd co corp bros ave blvd rd jan feb mar apr jun jul
aug sep sept oct nov dec mon tue wed thu fri""".split()
_HERE = ("punkt", "punkt_tab", "stopwords")


def _change_tokenize(module: Any) -> None:
    old, plain = module.sent_tokenize, module.PunktSentenceTokenizer

    @functools.wraps(old)
    def sent_tokenize(text: str, language: str = "english") -> list[str]:
        try:
            return old(text, language)
        except LookupError:
            pass
        if language != "english":
            warn("nltk's data punkt is not installed; sentences are split "
                 "by English abbreviations.")
        tokenizer = plain()
        tokenizer._params.abbrev_types.update(_SHORT)
        return tokenizer.tokenize(text)

    module.sent_tokenize = sent_tokenize


def _change_corpus(module: Any) -> None:
    old = module.stopwords
    cls = type(old)

    class StopWords(cls):  # type: ignore[misc, valid-type]
        def __getattr__(self, name: str) -> Any:
            try:
                return cls.__getattr__(self, name)
            except LookupError:
                if name not in ("words", "fileids", "raw"):
                    raise
            return functools.partial(_english, name)

    old.__class__ = StopWords


def _english(name: str, fileids: Any = None) -> Any:
    """The methods words, raw and fileids of nltk's stopwords."""
    if name == "fileids":
        return ["english"]
    if fileids not in (None, "english", ["english"]):
        raise LookupError(f"nltk's stop words of {fileids!r} are not "
                          "installed, only those of 'english', and nothing "
                          "can be downloaded")
    return list(_STOP) if name == "words" else "\n".join(_STOP) + "\n"


def _change_downloads(module: Any) -> None:
    plain = module.Downloader.download

    @functools.wraps(plain)
    def download(self: Any, info_or_id: Any = None, *args: Any,
                 **options: Any) -> Any:
        names = [info_or_id] if isinstance(info_or_id, str) else info_or_id
        if isinstance(names, (list, tuple)) and \
                all(name in _HERE for name in names):
            return True
        return plain(self, info_or_id, *args, **options)

    module.Downloader.download = download
    module.download = module._downloader.download


when_imported({"nltk.tokenize": _change_tokenize,
               "nltk.corpus": _change_corpus,
               "nltk.downloader": _change_downloads})
