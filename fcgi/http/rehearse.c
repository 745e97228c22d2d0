/* rehearse - see rehearse.h. */
#include "rehearse.h"

#include <errno.h>
#include <fastcgi.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/base/base.h"

#define REHEARSE_BODY "{\"code\":\"x = 1\\nprint(x + 1)\\nx + 2\"}"
#define REHEARSE_MAX 1024 /* bytes of all records; far more than needed */

struct rehearse_text {
	unsigned char data[REHEARSE_MAX];
	size_t size;
};

static void rehearse_add(struct rehearse_text *text, const void *data,
			 size_t size)
{
	memcpy(text->data + text->size, data, size);
	text->size += size;
}

static void rehearse_record(struct rehearse_text *text, unsigned char type,
			    const void *data, size_t size)
{
	const FCGI_Header header = {
		.version = FCGI_VERSION_1, .type = type, .requestIdB0 = 1,
		.contentLengthB1 = (unsigned char)(size >> 8),
		.contentLengthB0 = (unsigned char)size};

	rehearse_add(text, &header, sizeof(header));
	rehearse_add(text, data, size);
}

/* Names and values are short: one byte for the length of each. */
static void rehearse_param(struct rehearse_text *text, const char *name,
			   const char *value)
{
	const unsigned char sizes[] = {(unsigned char)strlen(name),
				       (unsigned char)strlen(value)};

	rehearse_add(text, sizes, sizeof(sizes));
	rehearse_add(text, name, sizes[0]);
	rehearse_add(text, value, sizes[1]);
}

static void rehearse_params(struct rehearse_text *text)
{
	char length[8];

	snprintf(length, sizeof(length), "%zu", strlen(REHEARSE_BODY));
	rehearse_param(text, "REQUEST_METHOD", "POST");
	rehearse_param(text, "DOCUMENT_URI", "/");
	rehearse_param(text, "CONTENT_TYPE", "application/json");
	rehearse_param(text, "CONTENT_LENGTH", length);
	rehearse_param(text, "REQUEST_ID", "00000000000000000000000000000000");
	rehearse_param(text, "REQUEST_MSEC", "1.000");
	rehearse_param(text, "TERRARIUM_CLIENT", "nobody");
}

static void rehearse_write(struct rehearse_text *text)
{
	const FCGI_BeginRequestBody begin = {.roleB0 = FCGI_RESPONDER};
	struct rehearse_text params = {.size = 0};

	rehearse_params(&params);
	rehearse_record(text, FCGI_BEGIN_REQUEST, &begin, sizeof(begin));
	rehearse_record(text, FCGI_PARAMS, params.data, params.size);
	rehearse_record(text, FCGI_PARAMS, "", 0);
	rehearse_record(text, FCGI_STDIN, REHEARSE_BODY,
			strlen(REHEARSE_BODY));
	rehearse_record(text, FCGI_STDIN, "", 0);
}

int rehearse_request(int ends[2])
{
	struct rehearse_text text = {.size = 0};

	rehearse_write(&text);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return -errno;
	ssize_t n = write(ends[1], text.data, text.size);

	if (n == (ssize_t)text.size)
		return 0;
	base_release_fd(&ends[0]);
	base_release_fd(&ends[1]);
	return -EIO;
}
