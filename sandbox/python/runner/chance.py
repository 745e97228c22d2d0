"""chance - random numbers: no two guests draw the same.

All guests of a fork server inherit the same generators. Each guest seeds them
before it is armed. numpy's generator is seeded by writing its state, which
costs one page; its own seed() costs a hundred.
"""

from __future__ import annotations

from .own import BUILTINS as __builtins__
from .values import numpy_module

import _random
import ctypes
import functools
import gc
import os
import random
import tempfile
import uuid
from typing import Any, Callable, Optional

_MT_WORDS = 624             # words of a Mersenne twister's state

# The C half of Random.seed(). The other half sets gauss_next: see
# find_generators().
_seed_random = _random.Random.seed
_seeders: list[Callable[[], Any]] = [
    functools.partial(_seed_random, random._inst)]


def _state_of(generator: Any) -> Optional[memoryview]:
    """The state words of the Mersenne twister behind a
    numpy.random.RandomState. None unless they lie at the address that numpy
    reports (BitGenerator.ctypes) and are all used up."""
    try:
        generator.seed(0)
        address = generator._bit_generator.ctypes.state_address
        words = (ctypes.c_uint32 * (_MT_WORDS + 1)).from_address(address)
        name, known, position, *_ = generator.get_state()
        if (name != "MT19937" or list(known) != list(words[:_MT_WORDS]) or
                position != _MT_WORDS or words[_MT_WORDS] != position):
            return None
    except (AttributeError, TypeError, ValueError):
        return None
    return memoryview(words).cast("B")[:_MT_WORDS * 4]


def _seeder_of(generator: Any) -> Callable[[], Any]:
    """A function that seeds a numpy.random.RandomState."""
    state = _state_of(generator)
    if state is None:
        return generator.seed

    def seed(fresh: Callable[[int], bytes] = os.urandom) -> None:
        state[:] = fresh(_MT_WORDS * 4)
        state[3] |= 0x80  # not all zeros, which would stay so (little endian)

    return seed


def _renewer_of(bits: Any) -> Optional[Callable[[], Any]]:
    """A function that seeds a numpy.random.BitGenerator, or None if the kind
    cannot be made from random bytes alone."""
    kind = type(bits)
    try:
        bits.state = kind().state
    except (AttributeError, TypeError, ValueError):
        return None

    def renew() -> None:
        bits.state = kind().state

    return renew


def _find_of_numpy(numpy: Any) -> None:
    kept = gc.get_objects()
    kind, bits_kind = numpy.random.RandomState, numpy.random.BitGenerator
    found = [obj for obj in kept if type(obj) is kind]
    if not any(obj is numpy.random.mtrand._rand for obj in found):
        found.append(numpy.random.mtrand._rand)
    _seeders.extend(_seeder_of(generator) for generator in found)
    seeded = {id(generator._bit_generator) for generator in found}
    renewers = [_renewer_of(obj) for obj in kept
                if issubclass(type(obj), bits_kind) and id(obj) not in seeded]
    _seeders.extend(renew for renew in renewers if renew is not None)


def find_generators() -> None:
    """Collect the generators that libraries keep, and the one behind
    numpy.random. In the fork server."""
    numpy = numpy_module()
    gc.collect()  # else each guest would seed unreachable ones
    if numpy is not None:
        _find_of_numpy(numpy)
    found = [obj for obj in gc.get_objects()
             if issubclass(type(obj), random.Random) and
             not issubclass(type(obj), random.SystemRandom)]
    for obj in found:
        obj.gauss_next = None  # the second half of a pair of numbers
        if obj is not random._inst:
            _seeders.append(functools.partial(_seed_random, obj))


def reseed() -> None:
    """Seed all generators. In a new guest. OSError without random bytes of the
    kernel's, because some seeders would fall back to the time."""
    os.urandom(1)
    for seed in _seeders:
        seed()
    if random._inst.gauss_next is not None:  # reading it costs no page
        random._inst.gauss_next = None
    if tempfile._name_sequence is not None:
        tempfile._name_sequence = None
    if uuid._node is not None:
        uuid._node = None
    if uuid._last_timestamp is not None:
        uuid._last_timestamp = None
