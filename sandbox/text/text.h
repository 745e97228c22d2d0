/*
 * text - a buffer that grows, and the encodings that every API needs: UTF-8,
 * JSON strings and base64.
 *
 * Sizes are in bytes. No function needs or writes a terminating NUL unless its
 * comment says so.
 */
#ifndef TERRARIUM_TEXT_H
#define TERRARIUM_TEXT_H

#include <stdarg.h>

#include "sandbox/base/base.h"

/*
 * A buffer that grows. All zero is an empty one. When memory runs out, ERROR
 * becomes -ENOMEM and all later additions are dropped. So a caller can append
 * many times and check ERROR once.
 */
struct text {
	char *data;
	size_t size;
	size_t room;
	int error;
};

/* Release TEXT's memory and make it empty. */
void text_free(struct text *text);

/* Append SIZE bytes of DATA, or a text in the format of printf(3). */
void text_add(struct text *text, const char *data, size_t size);
void text_format(struct text *text, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_vformat(struct text *text, const char *fmt, va_list args)
	PRINTF_LIKE(2, 0);

/* Append DATA with a blank in place of each CR and LF. */
void text_add_line(struct text *text, const char *data, size_t size);

/* Append DATA as valid UTF-8, with U+FFFD in place of each maximal bad
 * sequence. A UTF-16 surrogate of three bytes counts as one bad sequence. */
void text_add_utf8(struct text *text, const char *data, size_t size);

/* Append DATA as a JSON string with quotes, repaired as by text_add_utf8(). */
void text_add_json(struct text *text, const char *data, size_t size);

/* Append DATA, which is valid JSON or a part of it without a cut character, with
 * each character outside of ASCII as \uXXXX. Such a character can only be in a
 * string. Invalid bytes become U+FFFD. */
void text_add_ascii(struct text *text, const char *data, size_t size);

/* The number of bytes at the end of DATA that begin a UTF-8 character, or what
 * may be one, without completing it: 0 to 3. A text that is cut before them is
 * repaired in the same way as in one piece. */
size_t text_utf8_unfinished(const char *data, size_t size);

/* The offset of the first byte that is not valid UTF-8, or SIZE if all are.
 * Over-long forms, surrogates and code points above U+10FFFF are invalid. */
size_t text_utf8_bad(const char *data, size_t size);

/*
 * Write DATA in a readable form to OUT: printable ASCII as it is, other bytes
 * as \xNN, of at most TEXT_SHOW_MAX characters. "..." follows if DATA was cut.
 * OUT is NUL terminated. Returns OUT.
 */
#define TEXT_SHOW_MAX 64
#define TEXT_SHOW_SIZE (TEXT_SHOW_MAX + 4)
const char *text_show(char out[TEXT_SHOW_SIZE], const char *data, size_t size);

/*
 * Decode base64 in place, by a strict reading of RFC 4648, section 4: the
 * standard alphabet, padded, no white space, unused bits zero. Returns 0 with
 * the number of bytes in *DECODED, or -EINVAL; then DATA is overwritten in
 * part.
 */
int text_base64_decode(char *data, size_t size, size_t *decoded);

/* The same, but white space anywhere is skipped, and the padding may be missing
 * in whole or in part: many programs wrap lines, or drop the padding. */
int text_base64_decode_loosely(char *data, size_t size, size_t *decoded);

/* The characters that SIZE bytes take in base64, and the most bytes that SIZE
 * characters of base64 hold. */
uint64_t text_base64_length(uint64_t size);
uint64_t text_base64_holds(uint64_t size);

/*
 * Encode a stream in pieces. All zero is the start. text_base64_encode() writes
 * at most text_base64_length(SIZE + 2) characters, text_base64_finish() at most
 * 4. Both return the number of characters.
 */
struct text_base64 {
	unsigned char held[3];
	size_t count;
};
size_t text_base64_encode(struct text_base64 *state, const void *data,
			  size_t size, char *out);
size_t text_base64_finish(struct text_base64 *state, char out[4]);

#endif
