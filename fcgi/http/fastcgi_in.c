/*
 * fastcgi_in - see fastcgi_in.h. The records are those of the FastCGI
 * specification, version 1.
 *
 * libfcgi, which we answer with, could parse requests, too. But it trusts its
 * input: some lengths and some management records (of request 0) make it
 * access memory that is not its own, parameters have no limit, and its
 * time-outs restart with every byte. So it gets checked parameters only. Each
 * record must be the one that has to come next: none is skipped, and no record
 * but the one request is answered.
 */
#include "fastcgi_in.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"

#define FASTCGI_IN_VERSION 1
#define FASTCGI_IN_RESPONDER 1
#define FASTCGI_IN_UNKNOWN_ROLE 3
#define FASTCGI_IN_RECORD_MAX 65535
#define FASTCGI_IN_RENEW (1U << 20) /* bytes of body for each time-out */

enum fastcgi_in_kind {
	FASTCGI_IN_BEGIN = 1,
	FASTCGI_IN_END = 3,
	FASTCGI_IN_PARAMS = 4,
	FASTCGI_IN_STDIN = 5,
	FASTCGI_IN_STDOUT = 6
};

#define FASTCGI_IN_BEGIN_BODY 8
/* Bytes of a head besides its parameters, which need two records at most. */
#define FASTCGI_IN_HEAD_MORE (4 * FASTCGI_IN_HEADER + FASTCGI_IN_BEGIN_BODY)

/* ---- bytes ----------------------------------------------------------- */

/* Wait for bytes and read at most SIZE of them. 0: the peer left. */
static ssize_t fastcgi_in_receive(struct fastcgi_in *in, char *data,
				  size_t size)
{
	if (in->head >= 0) {
		ssize_t n = read(in->head, data, size);

		if (n != 0)
			return n < 0 ? -errno : n;
		in->head = -1;
	}
	for (;;) {
		int64_t left = in->end - io_now_ms();

		if (left <= 0)
			return -ETIMEDOUT;
		ssize_t n = recv(in->fd, data, size, MSG_DONTWAIT);

		if (n >= 0)
			return n;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (errno == EAGAIN)
			io_wait_readable(in->fd, (int)left);
	}
}

/* Take SIZE bytes through the buffer; DATA may be NULL. */
static int fastcgi_in_take(struct fastcgi_in *in, char *data, size_t size)
{
	while (size > 0) {
		size_t there = in->size - in->at;

		if (there == 0) {
			ssize_t n = fastcgi_in_receive(in, in->buffer,
						       sizeof(in->buffer));

			if (n <= 0)
				return n < 0 ? (int)n : -ECONNRESET;
			in->at = 0;
			in->size = (size_t)n;
			continue;
		}
		if (there > size)
			there = size;
		if (data) {
			memcpy(data, in->buffer + in->at, there);
			data += there;
		}
		in->at += there;
		size -= there;
	}
	return 0;
}

/* ---- records --------------------------------------------------------- */

static unsigned fastcgi_in_u16(const unsigned char *bytes)
{
	return (unsigned)bytes[0] << 8 | bytes[1];
}

/* Read the header of the next record, which must be of this KIND and of our
 * request. */
static int fastcgi_in_record(struct fastcgi_in *in, enum fastcgi_in_kind kind)
{
	unsigned char header[FASTCGI_IN_HEADER];
	int rc = fastcgi_in_take(in, (char *)header, sizeof(header));

	if (rc < 0)
		return rc;
	if (header[0] != FASTCGI_IN_VERSION || header[1] != kind)
		return -EPROTO;
	unsigned id = fastcgi_in_u16(header + 2);

	if (id == 0 || (kind != FASTCGI_IN_BEGIN && id != in->id))
		return -EPROTO;
	in->id = (uint16_t)id;
	in->content = fastcgi_in_u16(header + 4);
	in->padding = header[6];
	return 0;
}

static int fastcgi_in_skip_padding(struct fastcgi_in *in)
{
	int rc = fastcgi_in_take(in, NULL, in->padding);

	in->padding = 0;
	return rc;
}

static void fastcgi_in_put_header(void *header, enum fastcgi_in_kind kind,
				  unsigned id, size_t size)
{
	const unsigned char bytes[FASTCGI_IN_HEADER] = {
		FASTCGI_IN_VERSION,         (unsigned char)kind,
		(unsigned char)(id >> 8),   (unsigned char)id,
		(unsigned char)(size >> 8), (unsigned char)size};

	memcpy(header, bytes, sizeof(bytes));
}

/* This server is a responder only. The protocol has a record that says so. */
static int fastcgi_in_refuse_role(const struct fastcgi_in *in)
{
	unsigned char answer[FASTCGI_IN_HEADER * 2] = {0};

	fastcgi_in_put_header(answer, FASTCGI_IN_END, in->id,
			      FASTCGI_IN_HEADER);
	answer[FASTCGI_IN_HEADER + 4] = FASTCGI_IN_UNKNOWN_ROLE;
	/* A failure means that the peer has gone. */
	ssize_t ignored = send(in->fd, answer, sizeof(answer),
			       MSG_DONTWAIT | MSG_NOSIGNAL);

	(void)ignored;
	return -EPROTO;
}

static int fastcgi_in_begin(struct fastcgi_in *in)
{
	unsigned char body[FASTCGI_IN_BEGIN_BODY];
	int rc = fastcgi_in_record(in, FASTCGI_IN_BEGIN);

	if (rc < 0)
		return rc;
	if (in->content != sizeof(body))
		return -EPROTO;
	rc = fastcgi_in_take(in, (char *)body, sizeof(body));
	if (rc == 0)
		rc = fastcgi_in_skip_padding(in);
	if (rc == 0 && fastcgi_in_u16(body) != FASTCGI_IN_RESPONDER)
		rc = fastcgi_in_refuse_role(in);
	return rc;
}

static int fastcgi_in_read_params(struct fastcgi_in *in)
{
	for (;;) {
		int rc = fastcgi_in_record(in, FASTCGI_IN_PARAMS);
		size_t size = in->content;

		if (rc == 0 && size > sizeof(in->params) - in->params_size)
			rc = -E2BIG;
		if (rc == 0)
			rc = fastcgi_in_take(in, in->params + in->params_size,
					     size);
		if (rc == 0)
			rc = fastcgi_in_skip_padding(in);
		if (rc < 0 || size == 0)
			return rc;
		in->params_size += size;
	}
}

/* ---- parameters ------------------------------------------------------ */

/* Read one length at *AT, of one or four bytes. False: it is cut off. */
static bool fastcgi_in_length(const struct fastcgi_in *in, size_t *at,
			      size_t *length)
{
	const unsigned char *bytes = (const unsigned char *)in->params + *at;
	size_t left = in->params_size - *at;
	size_t wide = left > 0 && bytes[0] >> 7 ? 4 : 1;

	if (left < wide)
		return false;
	*length = bytes[0];
	if (wide == 4)
		*length = (size_t)(bytes[0] & 0x7f) << 24 |
			  (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 |
			  bytes[3];
	*at += wide;
	return true;
}

/* libfcgi keeps a pair as the text "NAME=VALUE". So a name may not be empty
 * or hold a "=", and neither part may hold a NUL. */
static bool fastcgi_in_good_pair(const char *name, size_t name_size,
				 size_t value_size)
{
	return name_size > 0 && !memchr(name, '=', name_size) &&
	       !memchr(name, '\0', name_size + value_size);
}

static int fastcgi_in_check_params(const struct fastcgi_in *in)
{
	size_t at = 0;

	for (int i = 0; at < in->params_size; i++) {
		size_t name, value;

		if (i == FASTCGI_IN_NAMES_MAX)
			return -E2BIG;
		if (!fastcgi_in_length(in, &at, &name) ||
		    !fastcgi_in_length(in, &at, &value) ||
		    name > in->params_size - at ||
		    value > in->params_size - at - name ||
		    !fastcgi_in_good_pair(in->params + at, name, value))
			return -EPROTO;
		at += name + value;
	}
	return 0;
}

static void fastcgi_in_renew(struct fastcgi_in *in)
{
	in->end = io_now_ms() + in->timeout_ms;
}

void fastcgi_in_param(const struct fastcgi_in *in, const char *name, char *text,
		      size_t size)
{
	const size_t length = strlen(name);
	size_t at = 0, name_size, value;

	text[0] = '\0';
	while (at < in->params_size && fastcgi_in_length(in, &at, &name_size) &&
	       fastcgi_in_length(in, &at, &value)) {
		const char *there = in->params + at;

		at += name_size + value;
		if (name_size != length || memcmp(there, name, length) != 0)
			continue;
		if (value > size - 1)
			value = size - 1;
		memcpy(text, there + length, value);
		text[value] = '\0';
		return;
	}
}

int fastcgi_in_open(struct fastcgi_in *in, int fd, unsigned timeout_ms)
{
	return fastcgi_in_resume(in, -1, fd, timeout_ms);
}

int fastcgi_in_resume(struct fastcgi_in *in, int head, int fd,
		      unsigned timeout_ms)
{
	in->fd = fd;
	in->head = head;
	in->timeout_ms = timeout_ms;
	in->id = 0;
	in->over = false;
	in->content = in->padding = 0;
	in->at = in->size = in->params_size = 0;
	fastcgi_in_renew(in);
	int rc = fastcgi_in_begin(in);

	if (rc == -ECONNRESET && in->size == 0)
		return -ENODATA;
	if (rc == 0)
		rc = fastcgi_in_read_params(in);
	if (rc == 0)
		rc = fastcgi_in_check_params(in);
	fastcgi_in_renew(in);
	return rc;
}

/* ---- the body -------------------------------------------------------- */

/* Go to a record of the body that has bytes left, or to the body's end. */
static int fastcgi_in_body_record(struct fastcgi_in *in)
{
	while (in->content == 0 && !in->over) {
		int rc = fastcgi_in_skip_padding(in);

		if (rc == 0)
			rc = fastcgi_in_record(in, FASTCGI_IN_STDIN);
		if (rc < 0)
			return rc;
		in->over = in->content == 0;
	}
	return 0;
}

/* Read at most SIZE bytes of the present record, and add to *GOT. */
static int fastcgi_in_piece(struct fastcgi_in *in, char *data, size_t size,
			    size_t *got)
{
	size_t piece = in->content < size ? in->content : size;
	int rc = fastcgi_in_take(in, data, piece);

	if (rc < 0)
		return rc;
	in->content -= piece;
	if (*got / FASTCGI_IN_RENEW != (*got + piece) / FASTCGI_IN_RENEW)
		fastcgi_in_renew(in);
	*got += piece;
	return 0;
}

ssize_t fastcgi_in_read(struct fastcgi_in *in, char *data, size_t size)
{
	size_t got = 0;

	while (got < size && !in->over) {
		int rc = fastcgi_in_body_record(in);

		if (rc == 0)
			rc = fastcgi_in_piece(in, data + got, size - got, &got);
		if (rc < 0) {
			in->over = true;
			return rc;
		}
	}
	return (ssize_t)got;
}

void fastcgi_in_drain(struct fastcgi_in *in)
{
	char ignored[4096];

	fastcgi_in_renew(in);
	while (fastcgi_in_read(in, ignored, sizeof(ignored)) > 0)
		;
}

/* ---- the answer ------------------------------------------------------ */

void fastcgi_in_answer_header(const struct fastcgi_in *in,
			      char header[FASTCGI_IN_HEADER], size_t size)
{
	fastcgi_in_put_header(header, FASTCGI_IN_STDOUT, in->id, size);
}

int fastcgi_in_answer(const struct fastcgi_in *in, char *record, size_t size)
{
	fastcgi_in_answer_header(in, record, size);
	return io_write_full(in->fd, record, FASTCGI_IN_HEADER + size);
}

/* ---- for the library ------------------------------------------------- */

/* Append a record of at most FASTCGI_IN_RECORD_MAX bytes at *END. */
static void fastcgi_in_put_record(char **end, const struct fastcgi_in *in,
				  enum fastcgi_in_kind kind, const char *data,
				  size_t size)
{
	fastcgi_in_put_header(*end, kind, in->id, size);
	memcpy(*end + FASTCGI_IN_HEADER, data, size);
	*end += FASTCGI_IN_HEADER + size;
}

static size_t fastcgi_in_put_head(const struct fastcgi_in *in, char *text)
{
	const char begin[FASTCGI_IN_BEGIN_BODY] = {0, FASTCGI_IN_RESPONDER};
	char *end = text;

	fastcgi_in_put_record(&end, in, FASTCGI_IN_BEGIN, begin, sizeof(begin));
	for (size_t at = 0; at < in->params_size;) {
		size_t size = in->params_size - at;

		if (size > FASTCGI_IN_RECORD_MAX)
			size = FASTCGI_IN_RECORD_MAX;
		fastcgi_in_put_record(&end, in, FASTCGI_IN_PARAMS,
				      in->params + at, size);
		at += size;
	}
	fastcgi_in_put_record(&end, in, FASTCGI_IN_PARAMS, "", 0);
	return (size_t)(end - text);
}

int fastcgi_in_head(const struct fastcgi_in *in)
{
	owned_free char *text = malloc(in->params_size + FASTCGI_IN_HEAD_MORE);
	owned_fd int fd = memfd_create("request", MFD_CLOEXEC);

	if (!text || fd < 0)
		return text ? -errno : -ENOMEM;
	size_t size = fastcgi_in_put_head(in, text);
	ssize_t n = pwrite(fd, text, size, 0);

	if (n != (ssize_t)size)
		return n < 0 ? -errno : -EIO;
	return take_fd(&fd);
}

int fastcgi_in_undo(const struct fastcgi_in *in)
{
	owned_fd int fd = fastcgi_in_head(in);

	if (fd < 0)
		return fd;
	if (lseek(fd, 0, SEEK_END) < 0)
		return -errno;
	int rc = io_write_full(fd, in->buffer + in->at, in->size - in->at);

	if (rc == 0 && lseek(fd, 0, SEEK_SET) < 0)
		rc = -errno;
	return rc < 0 ? rc : take_fd(&fd);
}
