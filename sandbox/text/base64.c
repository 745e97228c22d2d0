/*
 * base64 - the base64 part of text.h: RFC 4648, section 4.
 */
#include "text.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

static const char alphabet[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

#define BAD (UINT32_C(1) << 24)

/* The bits of a character at each place of a group of four, within the group's
 * three bytes. At the last place these are the plain values. */
static uint32_t places[4][256];

/* Fill PLACES at the first call. Not thread-safe: a worker has one thread. */
static void base64_make_places(void)
{
	if (places[0][0] == BAD)
		return;
	for (unsigned place = 0; place < 4; place++) {
		for (unsigned i = 0; i < 256; i++)
			places[place][i] = BAD;
		for (unsigned i = 0; i < 64; i++)
			places[place][(unsigned char)alphabet[i]] =
				i << (18 - 6 * place);
	}
}

static uint32_t base64_group(const unsigned char *in)
{
	return places[0][in[0]] | places[1][in[1]] | places[2][in[2]] |
	       places[3][in[3]];
}

uint64_t text_base64_length(uint64_t size)
{
	return (size + 2) / 3 * 4;
}

uint64_t text_base64_holds(uint64_t size)
{
	return size / 4 * 3 + size % 4;
}

/* The last four characters: one or two of them may be padding. */
static int base64_decode_tail(unsigned char *out, const unsigned char in[4])
{
	const uint32_t *value = places[3];
	int pads = in[3] == '=' ? (in[2] == '=' ? 2 : 1) : 0;
	uint32_t a = value[in[0]], b = value[in[1]];
	uint32_t c = pads == 2 ? 0 : value[in[2]];
	uint32_t d = pads ? 0 : value[in[3]];
	uint32_t bits = a << 18 | b << 12 | c << 6 | d;

	if ((a | b | c | d) > 63)
		return -EINVAL;
	if ((pads == 2 && b & 15) || (pads == 1 && c & 3))
		return -EINVAL; /* unused bits must be zero */
	out[0] = (unsigned char)(bits >> 16);
	if (pads < 2)
		out[1] = (unsigned char)(bits >> 8);
	if (pads < 1)
		out[2] = (unsigned char)bits;
	return 3 - pads;
}

/* Decode groups of four from IN to OUT, which may be the same, up to a
 * character that is in no group, or to the last eight. Returns the number of
 * characters decoded. No byte behind them is written. */
static size_t base64_decode_groups(unsigned char *out, const unsigned char *in,
				   size_t size)
{
	size_t at = 0;

	for (; size - at > 8; at += 8, out += 6) {
		uint32_t first = base64_group(in + at),
			 second = base64_group(in + at + 4);
		uint64_t bits = htobe64((uint64_t)first << 40 |
					(uint64_t)second << 16);

		if ((first | second) >= BAD)
			break;
		memcpy(out, &bits, 6);
	}
	return at;
}

/* Decode the last SIZE characters, eight at most, to OUT. Returns the number of
 * bytes, or -EINVAL. */
static int base64_decode_end(unsigned char *out, const unsigned char *in,
			     size_t size)
{
	int first = 0, last;

	if (size > 8 || size % 4)
		return -EINVAL;
	if (size == 0)
		return 0;
	if (size > 4) {
		uint32_t bits = htobe32(base64_group(in) << 8);

		if (base64_group(in) >= BAD)
			return -EINVAL;
		memcpy(out, &bits, 3);
		first = 3;
	}
	last = base64_decode_tail(out + first, in + size - 4);
	return last < 0 ? last : first + last;
}

int text_base64_decode(char *data, size_t size, size_t *decoded)
{
	unsigned char *text = (unsigned char *)data;
	size_t at;
	int last;

	*decoded = 0;
	base64_make_places();
	at = size < 8 ? 0 : base64_decode_groups(text, text, size);
	last = base64_decode_end(text + at / 4 * 3, text + at, size - at);
	if (last < 0)
		return last;
	*decoded = at / 4 * 3 + (size_t)last;
	return 0;
}

/* Remove white space. Returns the size that is left. */
static size_t base64_squeeze(unsigned char *text, size_t size)
{
	static const bool blank[256] = {
		[' '] = true, ['\t'] = true, ['\n'] = true,
		['\r'] = true, ['\f'] = true, ['\v'] = true};
	size_t left = 0;

	for (size_t i = 0; i < size; i++) {
		text[left] = text[i];
		left += !blank[text[i]];
	}
	return left;
}

/* The last SIZE characters, eight at most, may lack their padding. */
static int base64_decode_loose_end(unsigned char *out, const unsigned char *in,
				   size_t size)
{
	unsigned char text[8] = "========";
	size_t pads = 0;

	if (size > sizeof(text))
		return -EINVAL;
	while (pads < 2 && pads < size && in[size - pads - 1] == '=')
		pads++;
	size -= pads;
	if (size % 4 == 1 || (size % 4 == 0 && pads))
		return -EINVAL;
	if (size % 4 && size % 4 + pads > 4)
		return -EINVAL;
	memcpy(text, in, size);
	return base64_decode_end(out, text, (size + 3) / 4 * 4);
}

int text_base64_decode_loosely(char *data, size_t size, size_t *decoded)
{
	unsigned char *text = (unsigned char *)data, *rest;
	size_t at, more;
	int last;

	*decoded = 0;
	base64_make_places();
	at = size < 8 ? 0 : base64_decode_groups(text, text, size);
	rest = text + at;
	text += at / 4 * 3;
	size = base64_squeeze(rest, size - at);
	more = size < 8 ? 0 : base64_decode_groups(text, rest, size);
	last = base64_decode_loose_end(text + more / 4 * 3, rest + more,
				       size - more);
	if (last < 0)
		return last;
	*decoded = (at + more) / 4 * 3 + (size_t)last;
	return 0;
}

static void base64_encode_group(const unsigned char in[3], char out[4])
{
	unsigned bits = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2];

	out[0] = alphabet[bits >> 18];
	out[1] = alphabet[bits >> 12 & 63];
	out[2] = alphabet[bits >> 6 & 63];
	out[3] = alphabet[bits & 63];
}

size_t text_base64_encode(struct text_base64 *state, const void *data,
			  size_t size, char *out)
{
	const unsigned char *in = data;
	char *start = out;

	while (state->count && state->count < 3 && size) {
		state->held[state->count++] = *in++;
		size--;
	}
	if (state->count == 3) {
		base64_encode_group(state->held, out);
		out += 4;
		state->count = 0;
	}
	for (; size >= 3; size -= 3, in += 3, out += 4)
		base64_encode_group(in, out);
	for (; size; size--)
		state->held[state->count++] = *in++;
	return (size_t)(out - start);
}

size_t text_base64_finish(struct text_base64 *state, char out[4])
{
	if (state->count == 0)
		return 0;
	memset(state->held + state->count, 0, 3 - state->count);
	base64_encode_group(state->held, out);
	memset(out + 1 + state->count, '=', 3 - state->count);
	state->count = 0;
	return 4;
}
