/*
 * text - bytes that grow, and the three encodings every door needs: UTF-8,
 * JSON strings and base64.
 *
 * Nothing here knows HTTP or JSON documents; nothing here logs. Sizes are in
 * bytes, and no function wants or writes a terminating NUL unless it says so.
 */
#ifndef TERRARIUM_TEXT_H
#define TERRARIUM_TEXT_H

#include <stdarg.h>

#include "sandbox/base/base.h"

/*
 * A buffer that grows. All zero is an empty one. Once memory ran out, ERROR
 * is -ENOMEM and everything appended later is dropped, so that a caller may
 * append a hundred times and ask once.
 */
struct text {
	char *data;
	size_t size;
	size_t room;
	int error;
};

/* Release TEXT and make it empty. */
void text_free(struct text *text);

void text_add(struct text *text, const char *data, size_t size);
void text_format(struct text *text, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_vformat(struct text *text, const char *fmt, va_list args)
	PRINTF_LIKE(2, 0);

/* Append DATA with blanks for its line ends. */
void text_add_line(struct text *text, const char *data, size_t size);

/* Append DATA as valid UTF-8: U+FFFD for each maximal bad sequence. A UTF-16
 * surrogate written as three bytes counts as one bad sequence. */
void text_add_utf8(struct text *text, const char *data, size_t size);

/* Append DATA as a JSON string, quotes included, repaired like the above. */
void text_add_json(struct text *text, const char *data, size_t size);

/* Offset of the first byte that is not valid UTF-8 (no over-long forms, no
 * surrogates, nothing above U+10FFFF), or SIZE when there is none. */
size_t text_utf8_bad(const char *data, size_t size);

/*
 * Write DATA for a person to read: printable ASCII as it is, the rest as
 * \xNN, at most TEXT_SHOW_MAX characters of it; "..." follows what was cut.
 * OUT is NUL terminated. Returns OUT.
 */
#define TEXT_SHOW_MAX 64
#define TEXT_SHOW_SIZE (TEXT_SHOW_MAX + 4)
const char *text_show(char out[TEXT_SHOW_SIZE], const char *data, size_t size);

/*
 * Decode base64 in place. Strict RFC 4648, section 4: the standard alphabet,
 * padded, no white space, unused bits zero. Returns 0 and the number of bytes
 * in *DECODED, or -EINVAL; DATA is spoiled then.
 */
int text_base64_decode(char *data, size_t size, size_t *decoded);

/* Bytes that base64 of SIZE bytes takes, and bytes that SIZE characters of
 * base64 hold at most. */
uint64_t text_base64_length(uint64_t size);
uint64_t text_base64_holds(uint64_t size);

/*
 * Encode a stream in pieces. All zero is the start. text_base64_encode()
 * writes at most text_base64_length(SIZE + 2) characters, text_base64_finish()
 * at most 4. Both return how many.
 */
struct text_base64 {
	unsigned char held[3];
	size_t count;
};
size_t text_base64_encode(struct text_base64 *state, const void *data,
			  size_t size, char *out);
size_t text_base64_finish(struct text_base64 *state, char out[4]);

#endif
