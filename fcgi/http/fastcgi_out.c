/* fastcgi_out - see fastcgi_out.h. */
#include "fastcgi_out.h"

#include <fastcgi.h>
#include <stdio.h>
#include <string.h>

static void fastcgi_out_add(struct fastcgi_out *out, const void *data,
			    size_t size)
{
	memcpy(out->data + out->size, data, size);
	out->size += size;
}

static void fastcgi_out_record(struct fastcgi_out *out, unsigned char type,
			       const void *data, size_t size)
{
	const FCGI_Header header = {
		.version = FCGI_VERSION_1, .type = type, .requestIdB0 = 1,
		.contentLengthB1 = (unsigned char)(size >> 8),
		.contentLengthB0 = (unsigned char)size};

	fastcgi_out_add(out, &header, sizeof(header));
	fastcgi_out_add(out, data, size);
}

/* One byte holds the length of each. */
static void fastcgi_out_param(struct fastcgi_out *out, const char *name,
			      const char *value)
{
	const unsigned char sizes[] = {(unsigned char)strlen(name),
				       (unsigned char)strlen(value)};

	fastcgi_out_add(out, sizes, sizeof(sizes));
	fastcgi_out_add(out, name, sizes[0]);
	fastcgi_out_add(out, value, sizes[1]);
}

void fastcgi_out_request(struct fastcgi_out *out,
			 const struct fastcgi_out_param *params, size_t count,
			 const char *body)
{
	const FCGI_BeginRequestBody begin = {.roleB0 = FCGI_RESPONDER};
	struct fastcgi_out text = {.size = 0};
	char length[24];

	for (size_t i = 0; i < count; i++)
		fastcgi_out_param(&text, params[i].name, params[i].value);
	snprintf(length, sizeof(length), "%zu", strlen(body));
	fastcgi_out_param(&text, "CONTENT_LENGTH", length);
	out->size = 0;
	fastcgi_out_record(out, FCGI_BEGIN_REQUEST, &begin, sizeof(begin));
	fastcgi_out_record(out, FCGI_PARAMS, text.data, text.size);
	fastcgi_out_record(out, FCGI_PARAMS, "", 0);
	if (*body)
		fastcgi_out_record(out, FCGI_STDIN, body, strlen(body));
	fastcgi_out_record(out, FCGI_STDIN, "", 0);
}
