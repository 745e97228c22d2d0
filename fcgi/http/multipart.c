/* multipart - see multipart.h. */
#include "multipart.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MULTIPART_TYPE "multipart/form-data"

bool multipart_is(const char *type)
{
	const size_t size = sizeof(MULTIPART_TYPE) - 1;

	return strncasecmp(type, MULTIPART_TYPE, size) == 0 &&
	       (type[size] == '\0' || type[size] == ';' || type[size] == ' ');
}

/* Find the parameter NAME in the header TEXT of SIZE bytes: its value, between
 * quotes or up to the next semicolon. A backslash has no meaning in it, as in
 * browsers. False: there is none, or it has no end. */
static bool multipart_parameter(const char *text, size_t size,
				const char *name, struct bytes *out)
{
	const char *end = text + size, *at = memchr(text, ';', size);
	const size_t length = strlen(name);

	while (at && at < end) {
		for (at++; at < end && (*at == ' ' || *at == '\t'); at++)
			;
		const char *equals = memchr(at, '=', (size_t)(end - at));

		if (!equals)
			return false;
		const bool found = (size_t)(equals - at) == length &&
				   strncasecmp(at, name, length) == 0;
		const bool quoted = equals + 1 < end && equals[1] == '"';
		const char *value = equals + 1 + quoted;
		const char *stop = memchr(value, quoted ? '"' : ';',
					  (size_t)(end - value));

		if (!stop && quoted)
			return false;
		if (!stop)
			stop = end;
		if (found) {
			*out = (struct bytes){(char *)(uintptr_t)value,
					      (size_t)(stop - value)};
			return true;
		}
		at = memchr(stop, ';', (size_t)(end - stop));
	}
	return false;
}

int multipart_begin(struct multipart *multipart, const char *type,
		    const char *body, size_t size)
{
	struct bytes boundary;

	if (!multipart_is(type) ||
	    !multipart_parameter(type, strlen(type), "boundary", &boundary) ||
	    boundary.size == 0 || boundary.size > MULTIPART_BOUNDARY_MAX)
		return -EINVAL;
	*multipart = (struct multipart){.at = body, .end = body + size};
	snprintf(multipart->mark, sizeof(multipart->mark), "\r\n--%.*s",
		 (int)boundary.size, boundary.data);
	/* The first one need not stand behind the end of a line. */
	const size_t first = strlen(multipart->mark) - 2;

	if (size < first || memcmp(body, multipart->mark + 2, first) != 0)
		return -EINVAL;
	multipart->at += first;
	return 0;
}

/* The character that the three at AT stand for, or 0. */
static char multipart_coded(const char *at)
{
	static const struct {
		const char *code;
		char character;
	} rows[] = {{"%22", '"'}, {"%0D", '\r'}, {"%0A", '\n'}};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strncasecmp(at, rows[i].code, 3) == 0)
			return rows[i].character;
	return '\0';
}

/* Copy a file's name. Clients write %22, %0D and %0A for the three characters
 * that cannot stand there, and all others as they are. */
static int multipart_file(const struct bytes *value, char *out)
{
	size_t used = 0;

	if (value->size >= MULTIPART_NAME_MAX)
		return -EINVAL;
	for (size_t i = 0; i < value->size; i++) {
		const char *at = value->data + i;
		char coded = '\0';

		if (i + 2 < value->size)
			coded = multipart_coded(at);
		out[used++] = *at;
		if (coded) {
			out[used - 1] = coded;
			i += 2;
		}
	}
	out[used] = '\0';
	return strlen(out) == used ? 0 : -EINVAL;
}

/* Read a header of SIZE bytes, if it is the one that names the part. */
static int multipart_header(const char *line, size_t size,
			    struct multipart_part *part)
{
	static const char head[] = "content-disposition:";
	struct bytes value;

	if (size < sizeof(head) - 1 ||
	    strncasecmp(line, head, sizeof(head) - 1) != 0)
		return 0;
	if (multipart_parameter(line, size, "name", &value))
		snprintf(part->name, sizeof(part->name), "%.*s",
			 (int)(value.size < 63 ? value.size : 63), value.data);
	part->is_file = multipart_parameter(line, size, "filename", &value);
	return part->is_file ? multipart_file(&value, part->file) : 0;
}

/* Read the headers, up to the empty line. */
static int multipart_headers(struct multipart *multipart,
			     struct multipart_part *part)
{
	for (;;) {
		const char *at = multipart->at;
		const char *stop = memmem(at, (size_t)(multipart->end - at),
					  "\r\n", 2);

		if (!stop)
			return -EINVAL;
		multipart->at = stop + 2;
		if (stop == at)
			return 0;
		int rc = multipart_header(at, (size_t)(stop - at), part);

		if (rc < 0)
			return rc;
	}
}

int multipart_next(struct multipart *multipart, struct multipart_part *part)
{
	size_t left = (size_t)(multipart->end - multipart->at);

	*part = (struct multipart_part){0};
	if (multipart->over)
		return 0;
	if (left >= 2 && memcmp(multipart->at, "--", 2) == 0) {
		multipart->over = true;
		return 0;
	}
	if (left < 2 || memcmp(multipart->at, "\r\n", 2) != 0)
		return -EINVAL;
	multipart->at += 2;
	int rc = multipart_headers(multipart, part);

	if (rc < 0)
		return rc;
	/* The end of the last header's line may be that before the mark. */
	const char *begin = multipart->at, *from = begin - 2;
	const char *stop = memmem(from, (size_t)(multipart->end - from),
				  multipart->mark, strlen(multipart->mark));

	if (!stop)
		return -EINVAL;
	part->content = (struct bytes){(char *)(uintptr_t)begin,
				       stop > begin ? (size_t)(stop - begin)
						    : 0};
	multipart->at = stop + strlen(multipart->mark);
	return 1;
}
