/*
 * text - see text.h: the buffer, UTF-8 and JSON strings. Base64 is in base64.c.
 */
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TEXT_ROOM_FIRST 256

void text_free(struct text *text)
{
	free(text->data);
	*text = (struct text){ 0 };
}

/* Make room for MORE bytes and a NUL after them. */
static bool text_reserve(struct text *text, size_t more)
{
	size_t room = text->room ? text->room : TEXT_ROOM_FIRST;
	char *data;

	if (text->error)
		return false;
	if (more < text->room - text->size)
		return true;
	if (more > SIZE_MAX / 4 || text->size > SIZE_MAX / 4) {
		text->error = -ENOMEM;
		return false;
	}
	while (room - text->size <= more)
		room *= 2;
	data = realloc(text->data, room);
	if (!data) {
		text->error = -ENOMEM;
		return false;
	}
	text->data = data;
	text->room = room;
	return true;
}

void text_add(struct text *text, const char *data, size_t size)
{
	if (size == 0 || !text_reserve(text, size))
		return;
	memcpy(text->data + text->size, data, size);
	text->size += size;
}

void text_vformat(struct text *text, const char *fmt, va_list args)
{
	va_list again;
	int size;

	va_copy(again, args);
	size = vsnprintf(NULL, 0, fmt, args);
	if (size < 0)
		text->error = -ENOMEM;
	else if (text_reserve(text, (size_t)size))
		text->size += (size_t)vsnprintf(text->data + text->size,
						(size_t)size + 1, fmt, again);
	va_end(again);
}

void text_add_line(struct text *text, const char *data, size_t size)
{
	size_t from = 0;

	for (size_t i = 0; i < size; i++) {
		if (data[i] != '\n' && data[i] != '\r')
			continue;
		text_add(text, data + from, i - from);
		text_add(text, " ", 1);
		from = i + 1;
	}
	text_add(text, data + from, size - from);
}

void text_format(struct text *text, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	text_vformat(text, fmt, args);
	va_end(args);
}

/* The well-formed sequences of Unicode's table 3-7: the range of the first
 * byte, the range of the second byte, and the number of bytes after the first.
 */
static const struct lead {
	unsigned char from, to, next_from, next_to, more;
} leads[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 1 }, { 0xe0, 0xe0, 0xa0, 0xbf, 2 },
	{ 0xe1, 0xec, 0x80, 0xbf, 2 }, { 0xed, 0xed, 0x80, 0x9f, 2 },
	{ 0xee, 0xef, 0x80, 0xbf, 2 }, { 0xf0, 0xf0, 0x90, 0xbf, 3 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 3 }, { 0xf4, 0xf4, 0x80, 0x8f, 3 },
};

static const struct lead *text_lead_of(unsigned char byte)
{
	for (size_t i = 0; i < ARRAY_LEN(leads); i++)
		if (byte >= leads[i].from && byte <= leads[i].to)
			return &leads[i];
	return NULL;
}

static bool text_is_surrogate(const unsigned char *at, size_t size)
{
	return size >= 3 && at[0] == 0xed && at[1] >= 0xa0 && at[1] <= 0xbf &&
	       at[2] >= 0x80 && at[2] <= 0xbf;
}

/*
 * The length of the sequence at AT. *GOOD: it is a character; otherwise the
 * length is that of the maximal bad sequence.
 */
static size_t text_utf8_step(const unsigned char *at, size_t size, bool *good)
{
	const struct lead *lead;
	size_t i;

	*good = at[0] < 0x80;
	if (*good)
		return 1;
	if (text_is_surrogate(at, size))
		return 3;
	lead = text_lead_of(at[0]);
	if (!lead || size < 2 || at[1] < lead->next_from ||
	    at[1] > lead->next_to)
		return 1;
	for (i = 2; i <= lead->more; i++)
		if (i == size || (at[i] & 0xc0) != 0x80)
			return i;
	*good = true;
	return i;
}

/* The number of ASCII bytes at AT. It checks eight bytes at a time. */
static size_t text_ascii_run(const unsigned char *at, size_t size)
{
	size_t i = 0;
	uint64_t word;

	for (; size - i >= sizeof(word); i += sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		if (word & UINT64_C(0x8080808080808080))
			break;
	}
	while (i < size && at[i] < 0x80)
		i++;
	return i;
}

size_t text_utf8_bad(const char *data, size_t size)
{
	const unsigned char *at = (const unsigned char *)data;
	bool good = true;
	size_t i = 0;

	while (i < size) {
		size_t step = text_ascii_run(at + i, size - i);

		if (step == 0)
			step = text_utf8_step(at + i, size - i, &good);
		if (!good)
			return i;
		i += step;
	}
	return size;
}

static void text_add_replacement(struct text *text)
{
	text_add(text, "\xef\xbf\xbd", 3);
}

void text_add_utf8(struct text *text, const char *data, size_t size)
{
	while (size > 0) {
		size_t valid = text_utf8_bad(data, size);
		bool good;

		text_add(text, data, valid);
		data += valid;
		size -= valid;
		if (size > 0) {
			size_t bad = text_utf8_step((const unsigned char *)data,
						    size, &good);

			text_add_replacement(text);
			data += bad;
			size -= bad;
		}
	}
}

/* Escape a byte that a JSON string cannot hold as it is: 0x00 to 0x1f, quote,
 * backslash. U+2028, U+2029 and DEL need no escape. */
static void text_add_escape(struct text *text, unsigned char byte)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *found = byte ? strchr(from, byte) : NULL;

	if (found)
		text_format(text, "\\%c", to[found - from]);
	else
		text_format(text, "\\u%04x", byte);
}

/* Whether BYTE is ASCII that needs no escape, as most text is. */
static bool text_is_plain(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

void text_add_json(struct text *text, const char *data, size_t size)
{
	const unsigned char *at = (const unsigned char *)data;
	size_t from = 0, i = 0;
	bool good;

	if (size == 0)
		data = ""; /* DATA may be NULL */
	text_add(text, "\"", 1);
	while (i < size) {
		size_t step = 1;

		if (text_is_plain(at[i])) {
			i++;
			continue;
		}
		if (at[i] >= 0x80) {
			step = text_utf8_step(at + i, size - i, &good);
			if (good) {
				i += step;
				continue;
			}
		}
		text_add(text, data + from, i - from);
		if (at[i] >= 0x80)
			text_add_replacement(text);
		else
			text_add_escape(text, at[i]);
		i += step;
		from = i;
	}
	text_add(text, data + from, i - from);
	text_add(text, "\"", 1);
}

/* The code point of the valid sequence of SIZE bytes, 2 to 4, at AT. */
static unsigned text_code_point(const unsigned char *at, size_t size)
{
	unsigned point = at[0] & (0x7fu >> size);

	for (size_t i = 1; i < size; i++)
		point = point << 6 | (at[i] & 0x3fu);
	return point;
}

static void text_add_unicode(struct text *text, unsigned point)
{
	if (point < 0x10000)
		text_format(text, "\\u%04x", point);
	else
		text_format(text, "\\u%04x\\u%04x",
			    0xd800 + ((point - 0x10000) >> 10),
			    0xdc00 + ((point - 0x10000) & 0x3ff));
}

void text_add_ascii(struct text *text, const char *data, size_t size)
{
	const unsigned char *at = (const unsigned char *)data;
	size_t i = 0;
	bool good;

	while (i < size) {
		size_t step = text_ascii_run(at + i, size - i);

		text_add(text, data + i, step);
		i += step;
		if (i == size)
			return;
		step = text_utf8_step(at + i, size - i, &good);
		text_add_unicode(text, good ? text_code_point(at + i, step)
					    : 0xfffd);
		i += step;
	}
}

size_t text_utf8_unfinished(const char *data, size_t size)
{
	for (size_t back = 1; back <= 3 && back <= size; back++) {
		unsigned char byte = (unsigned char)data[size - back];
		const struct lead *lead = text_lead_of(byte);

		if ((byte & 0xc0) != 0x80)
			return lead && lead->more >= back ? back : 0;
	}
	return 0;
}

const char *text_show(char out[TEXT_SHOW_SIZE], const char *data, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < size; i++) {
		unsigned char byte = (unsigned char)data[i];
		bool plain = byte >= 0x20 && byte < 0x7f && byte != '\\';
		size_t wants = plain ? 1 : 4;

		if (used + wants > TEXT_SHOW_MAX) {
			memcpy(out + used, "...", 3);
			used += 3;
			break;
		}
		snprintf(out + used, 5, plain ? "%c" : "\\x%02x", byte);
		used += wants;
	}
	out[used] = '\0';
	return out;
}
