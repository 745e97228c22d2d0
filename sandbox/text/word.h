/*
 * word - which characters are part of a word, as \w of Python's regular
 * expressions and of Rust's: letters and digits of any script, and '_'.
 */
#ifndef TERRARIUM_WORD_H
#define TERRARIUM_WORD_H

#include "sandbox/base/base.h"

/* The bytes of the character at TEXT, of SIZE bytes of valid UTF-8, if it is
 * part of a word; else 0. */
size_t word_character(const char *text, size_t size);

/* The number of characters in SIZE bytes of valid UTF-8. */
size_t word_count(const char *text, size_t size);

#endif
