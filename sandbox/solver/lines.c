/* lines - see lines.h. */
#include "lines.h"

#include <string.h>

/* Bytes of the line at DATA, without its end. */
static size_t lines_line_size(const char *data, size_t size)
{
	const char *end = memchr(data, '\n', size);

	return end ? (size_t)(end - data) : size;
}

/* Bytes of the line at DATA, with its end. */
static size_t lines_step(const char *data, size_t size)
{
	size_t line = lines_line_size(data, size);

	return line < size ? line + 1 : line;
}

void lines_add_head(struct text *text, const char *data, size_t size,
		    uint64_t dropped)
{
	struct text head = {0};
	size_t at = 0, lines = 0;

	for (; at < size && lines < LINES_HEAD_MAX; lines++)
		at += lines_step(data + at, size - at);
	text_add(&head, data, at);
	for (lines = 0; at < size; lines++)
		at += lines_step(data + at, size - at);
	if (lines > 0)
		text_format(&head, "...[truncated %zu lines]", lines);
	if (dropped > 0)
		text_format(&head, "\n...[truncated %ju bytes]",
			    (uintmax_t)dropped);
	text_add_json(text, head.data, head.size);
	if (head.error)
		text->error = head.error;
	text_free(&head);
}

static bool lines_blank(const char *line, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (line[i] == '\0' || !strchr(" \t\r\f\v", line[i]))
			return false;
	return true;
}

static size_t lines_count(const char *data, size_t size)
{
	size_t count = 0;

	for (size_t at = 0; at < size; at += lines_step(data + at, size - at))
		count += !lines_blank(data + at,
				      lines_line_size(data + at, size - at));
	return count;
}

bool lines_are_blank(const char *data, size_t size)
{
	return lines_count(data, size) == 0;
}

/* Append a line without the white space around it. */
static void lines_add_stripped(struct text *text, const char *line, size_t size)
{
	while (size > 0 && lines_blank(line + size - 1, 1))
		size--;
	while (size > 0 && lines_blank(line, 1)) {
		line++;
		size--;
	}
	text_add_utf8(text, line, size);
}

/* Start of the last CHARS characters of TEXT, which is valid UTF-8. */
static size_t lines_tail(const struct text *text, size_t chars)
{
	size_t at = text->size;

	while (at > 0 && chars > 0)
		chars -= ((unsigned char)text->data[--at] & 0xc0) != 0x80;
	return at;
}

void lines_add_digest(struct text *text, const char *data, size_t size)
{
	size_t count = lines_count(data, size);
	size_t skip = count > LINES_DIGEST_MAX ? count - LINES_DIGEST_MAX : 0;
	struct text tail = {0};

	for (size_t at = 0; at < size; at += lines_step(data + at, size - at)) {
		size_t line = lines_line_size(data + at, size - at);

		if (lines_blank(data + at, line))
			continue;
		if (skip > 0) {
			skip--;
			continue;
		}
		if (tail.size > 0)
			text_add(&tail, "\n", 1);
		lines_add_stripped(&tail, data + at, line);
	}
	size_t from = lines_tail(&tail, LINES_DIGEST_CHARS);

	text_add_json(text, tail.data ? tail.data + from : "",
		      tail.size - from);
	if (tail.error)
		text->error = tail.error;
	text_free(&tail);
}
