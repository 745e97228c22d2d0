/* shown - see shown.h. */
#include "shown.h"

#include <stdint.h>
#include <unistd.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/text/text.h"
#include "command.h"

/* Characters that control a terminal, or that change the place of others. */
static const struct shown_range {
	uint32_t first, last;
} shown_ranges[] = {
	{0x00, 0x08}, {0x0b, 0x1f}, {0x7f, 0x9f},
	{0x061c, 0x061c}, {0x200e, 0x200f}, {0x2028, 0x202e},
	{0x2066, 0x2069},
};

static bool shown_escaped(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_LEN(shown_ranges); i++)
		if (code >= shown_ranges[i].first &&
		    code <= shown_ranges[i].last)
			return true;
	return false;
}

/* Decode the UTF-8 character at DATA into *CODE. Returns its bytes; 0: it is
 * not valid. */
static size_t shown_decode(const unsigned char *data, size_t size,
			   uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t bytes = data[0] < 0x80 ? 1 : data[0] < 0xc2 ? 0
		     : data[0] < 0xe0 ? 2 : data[0] < 0xf0 ? 3
		     : data[0] < 0xf5 ? 4 : 0;

	if (bytes == 0 || bytes > size)
		return 0;
	*code = bytes == 1 ? data[0] : data[0] & (0xffu >> (bytes + 1));
	for (size_t i = 1; i < bytes; i++) {
		if ((data[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (data[i] & 0x3f);
	}
	return *code >= least[bytes] && *code <= 0x10ffff ? bytes : 0;
}

int shown_write(int fd, const char *data, size_t size)
{
	const unsigned char *from = (const unsigned char *)data;
	struct text text = {0};
	uint32_t code = 0;

	if (!isatty(fd))
		return io_write_full(fd, data, size);
	for (size_t at = 0, bytes; at < size; at += bytes ? bytes : 1) {
		bytes = shown_decode(from + at, size - at, &code);
		if (bytes == 0)
			text_format(&text, "\\x%02x", from[at]);
		else if (shown_escaped(code))
			text_format(&text, "\\u%04x", code);
		else
			text_add(&text, data + at, bytes);
	}
	int rc = text.error ? text.error
			    : io_write_full(fd, text.data, text.size);

	text_free(&text);
	return rc;
}

int shown_result(struct text *result)
{
	text_add(result, "\n", 1);
	int rc = result->error ? result->error
			       : shown_write(STDOUT_FILENO, result->data,
					     result->size);

	return rc < 0 ? command_failed("write the result: %s", log_errno(rc))
		      : 0;
}
