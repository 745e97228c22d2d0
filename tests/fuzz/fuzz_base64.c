/*
 * fuzz_base64 - any bytes as base64, and as bytes to encode.
 *
 * Besides memory errors: what decodes encodes to the same text again (so no
 * two texts mean the same bytes), and what was encoded, in pieces of any
 * size, decodes to the same bytes.
 */
#include <string.h>

#include "sandbox/text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Encode in pieces whose sizes come from the input. */
static char *fuzz_encode(const char *data, size_t size, size_t *length)
{
	struct text_base64 encoder = { 0 };
	size_t used = 0, step;
	char *out = malloc(text_base64_length(size) + 4);

	if (!out)
		abort();
	for (size_t at = 0; at < size; at += step) {
		step = 1 + (unsigned char)data[at] % 7;
		if (step > size - at)
			step = size - at;
		used += text_base64_encode(&encoder, data + at, step,
					   out + used);
	}
	*length = used + text_base64_finish(&encoder, out + used);
	if (*length != text_base64_length(size))
		abort();
	return out;
}

static void fuzz_decode_first(const uint8_t *data, size_t size)
{
	owned_free char *copy = malloc(size + 1);
	owned_free char *again = NULL;
	size_t decoded, length;

	if (!copy)
		abort();
	memcpy(copy, data, size);
	if (text_base64_decode(copy, size, &decoded) != 0)
		return;
	if (decoded > text_base64_holds(size))
		abort();
	again = fuzz_encode(copy, decoded, &length);
	if (length != size || memcmp(again, data, size) != 0)
		abort();
}

/* Text that is decoded strictly gives the same bytes loosely, and bytes that
 * came from loose text are no more than it can hold. */
static void fuzz_decode_loosely(const uint8_t *data, size_t size)
{
	owned_free char *strict = malloc(size + 1), *loose = malloc(size + 1);
	size_t want, got;

	if (!strict || !loose)
		abort();
	memcpy(strict, data, size);
	memcpy(loose, data, size);
	int rc = text_base64_decode_loosely(loose, size, &got);

	if (rc == 0 && got > text_base64_holds(size))
		abort();
	if (text_base64_decode(strict, size, &want) != 0)
		return;
	if (rc != 0 || got != want || memcmp(strict, loose, want) != 0)
		abort();
}

static void fuzz_encode_first(const uint8_t *data, size_t size)
{
	size_t length, decoded;
	owned_free char *text = fuzz_encode((const char *)data, size, &length);

	if (text_base64_decode(text, length, &decoded) != 0)
		abort();
	if (decoded != size || memcmp(text, data, size) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_decode_first(data, size);
	fuzz_decode_loosely(data, size);
	fuzz_encode_first(data, size);
	return 0;
}
