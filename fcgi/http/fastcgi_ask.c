/* fastcgi_ask - see fastcgi_ask.h. */
#include "fastcgi_ask.h"

#include <errno.h>
#include <fastcgi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fastcgi_out.h"
#include "sandbox/base/io.h"

/* Returns a descriptor or a negative errno value. */
static int fastcgi_ask_connect(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	owned_fd int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	memcpy(address.sun_path, path, strlen(path) + 1);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return -errno;
	return take_fd(&fd);
}

/* Read to the end of the connection. SIZE counts the bytes so far. */
static int fastcgi_ask_receive(int fd, int64_t end, char *data, size_t *size)
{
	while (*size < FASTCGI_ASK_MAX) {
		int64_t left = end - io_now_ms();
		int rc = io_wait_readable(fd, left > 0 ? (int)left : 0);

		if (rc <= 0)
			return rc < 0 ? rc : -ETIMEDOUT;
		ssize_t n = read(fd, data + *size, FASTCGI_ASK_MAX - *size);

		if (n <= 0)
			return n < 0 ? -errno : 0;
		*size += (size_t)n;
	}
	return -EFBIG;
}

/* Move the content of all standard output records to the start of DATA.
 * Returns its size, or -EPROTO. */
static ssize_t fastcgi_ask_unpack(char *data, size_t size)
{
	size_t at = 0, kept = 0;

	while (size - at >= FCGI_HEADER_LEN) {
		const unsigned char *header = (unsigned char *)data + at;
		size_t content = (size_t)header[4] << 8 | header[5];
		size_t padding = header[6];
		unsigned char type = header[1];

		at += FCGI_HEADER_LEN;
		if (header[0] != FCGI_VERSION_1 || content + padding > size - at)
			return -EPROTO;
		if (type == FCGI_END_REQUEST)
			return (ssize_t)kept;
		if (type == FCGI_STDOUT) {
			memmove(data + kept, data + at, content);
			kept += content;
		}
		at += content + padding;
	}
	return -EPROTO;
}

/* OUT becomes what follows the headers of the CGI answer in DATA. */
static int fastcgi_ask_body(const char *data, size_t size, struct bytes *out)
{
	const char *end = memmem(data, size, "\r\n\r\n", 4);

	if (!end)
		return -EPROTO;
	end += 4;
	out->size = size - (size_t)(end - data);
	out->data = strndup(end, out->size);
	return out->data ? 0 : -ENOMEM;
}

int fastcgi_ask(const char *socket, const char *path, int timeout_ms,
		struct bytes *out)
{
	const struct fastcgi_out_param params[] = {
		{"REQUEST_METHOD", "GET"}, {"DOCUMENT_URI", path}};
	const int64_t end = io_now_ms() + timeout_ms;
	owned_free char *data = malloc(FASTCGI_ASK_MAX);
	owned_fd int fd = fastcgi_ask_connect(socket);
	struct fastcgi_out request;
	size_t size = 0;

	if (fd < 0 || !data)
		return data ? fd : -ENOMEM;
	fastcgi_out_request(&request, params, ARRAY_LEN(params), "");
	int rc = io_write_full(fd, request.data, request.size);

	if (rc == 0)
		rc = fastcgi_ask_receive(fd, end, data, &size);
	ssize_t text = rc < 0 ? rc : fastcgi_ask_unpack(data, size);

	return text < 0 ? (int)text
			: fastcgi_ask_body(data, (size_t)text, out);
}
