"""Helpers of toolbox.py, in a module of their own."""

import threading

LIMIT = 99
LOCK = threading.Lock()


def clean(text):
    return text.strip().lower()


def shout(text):
    return clean(text).upper() * LIMIT_OF["times"]


def divide(a, b):
    return a / b


def needs_lock():
    with LOCK:
        return 1


LIMIT_OF = {"times": 2}
