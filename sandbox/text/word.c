/* word - see word.h. */
#include "word.h"

#include "word_ranges.h"

static bool word_is(uint32_t code)
{
	size_t low = 0, high = ARRAY_LEN(word_ranges);

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (code > word_ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ARRAY_LEN(word_ranges) && code >= word_ranges[low].first;
}

static bool word_is_ascii(unsigned char byte)
{
	return (byte >= '0' && byte <= '9') || byte == '_' ||
	       ((byte | 32) >= 'a' && (byte | 32) <= 'z');
}

/* The bytes of a character that begins with BYTE. */
static size_t word_size(unsigned char byte)
{
	return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

size_t word_character(const char *text, size_t size)
{
	const unsigned char *at = (const unsigned char *)text;

	if (size == 0)
		return 0;
	const size_t bytes = word_size(at[0]);

	if (bytes == 1)
		return word_is_ascii(at[0]);
	if (bytes > size)
		return 0;
	uint32_t code = at[0] & (0x7fu >> bytes);

	for (size_t i = 1; i < bytes; i++)
		code = code << 6 | (at[i] & 0x3f);
	return word_is(code) ? bytes : 0;
}

size_t word_count(const char *text, size_t size)
{
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}
