/*
 * fastcgi_in - see fastcgi_in.h; the records are those of the FastCGI
 * specification, version 1.
 *
 * The library that we answer with would parse all this too. But it believes
 * what it reads: some lengths and some questions about the server (records of
 * request 0) end in memory that is not its own, there is no limit to the
 * parameters, and its time-outs begin anew with every byte. So it is given
 * only what was checked here. Every record must be the one that has to come
 * next: nothing is skipped, nothing is answered but the one request.
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
#define FASTCGI_IN_RENEW (1U << 20) /* bytes of body that renew the time-out \
				     */

enum fastcgi_in_kind {
	FASTCGI_IN_BEGIN = 1,
	FASTCGI_IN_END = 3,
	FASTCGI_IN_PARAMS = 4,
	FASTCGI_IN_STDIN = 5,
	FASTCGI_IN_STDOUT = 6
};

#define FASTCGI_IN_BEGIN_BODY 8
/* Bytes of a head besides its parameters, which take two records at most. */
#define FASTCGI_IN_HEAD_MORE (4 * FASTCGI_IN_HEADER + FASTCGI_IN_BEGIN_BODY)

/* ---- bytes ----------------------------------------------------------- */

/* Wait for bytes and read at most SIZE. 0 when the peer left. */
static ssize_t fastcgi_in_receive(struct fastcgi_in *intake, char *data,
				  size_t size)
{
	if (intake->head >= 0) {
		ssize_t n = read(intake->head, data, size);

		if (n != 0)
			return n < 0 ? -errno : n;
		intake->head = -1;
	}
	for (;;) {
		int64_t left = intake->end - io_now_ms();

		if (left <= 0)
			return -ETIMEDOUT;
		ssize_t n = recv(intake->fd, data, size, MSG_DONTWAIT);

		if (n >= 0)
			return n;
		if (errno != EAGAIN && errno != EINTR)
			return -errno;
		if (errno == EAGAIN)
			io_wait_readable(intake->fd, (int)left);
	}
}

/* Take SIZE bytes, by way of the buffer; DATA may be NULL. */
static int fastcgi_in_take(struct fastcgi_in *intake, char *data, size_t size)
{
	while (size > 0) {
		size_t there = intake->size - intake->at;

		if (there == 0) {
			ssize_t n = fastcgi_in_receive(intake, intake->buffer,
						       sizeof(intake->buffer));

			if (n <= 0)
				return n < 0 ? (int)n : -ECONNRESET;
			intake->at = 0;
			intake->size = (size_t)n;
			continue;
		}
		if (there > size)
			there = size;
		if (data) {
			memcpy(data, intake->buffer + intake->at, there);
			data += there;
		}
		intake->at += there;
		size -= there;
	}
	return 0;
}

/* ---- records --------------------------------------------------------- */

static unsigned fastcgi_in_u16(const unsigned char *bytes)
{
	return (unsigned)bytes[0] << 8 | bytes[1];
}

/* Begin the next record, which must be of this KIND and of our request. */
static int fastcgi_in_record(struct fastcgi_in *intake,
			     enum fastcgi_in_kind kind)
{
	unsigned char header[FASTCGI_IN_HEADER];
	int rc = fastcgi_in_take(intake, (char *)header, sizeof(header));

	if (rc < 0)
		return rc;
	if (header[0] != FASTCGI_IN_VERSION || header[1] != kind)
		return -EPROTO;
	unsigned id = fastcgi_in_u16(header + 2);

	if (id == 0 || (kind != FASTCGI_IN_BEGIN && id != intake->id))
		return -EPROTO;
	intake->id = (uint16_t)id;
	intake->content = fastcgi_in_u16(header + 4);
	intake->padding = header[6];
	return 0;
}

static int fastcgi_in_skip_padding(struct fastcgi_in *intake)
{
	int rc = fastcgi_in_take(intake, NULL, intake->padding);

	intake->padding = 0;
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

/* Not what this server is for; there is a record that says so. */
static int fastcgi_in_refuse_role(const struct fastcgi_in *intake)
{
	unsigned char answer[FASTCGI_IN_HEADER * 2] = {0};

	fastcgi_in_put_header(answer, FASTCGI_IN_END, intake->id,
			      FASTCGI_IN_HEADER);
	answer[FASTCGI_IN_HEADER + 4] = FASTCGI_IN_UNKNOWN_ROLE;
	/* If it cannot be sent, nobody is there to hear it. */
	ssize_t ignored = send(intake->fd, answer, sizeof(answer),
			       MSG_DONTWAIT | MSG_NOSIGNAL);

	(void)ignored;
	return -EPROTO;
}

static int fastcgi_in_begin(struct fastcgi_in *intake)
{
	unsigned char body[FASTCGI_IN_BEGIN_BODY];
	int rc = fastcgi_in_record(intake, FASTCGI_IN_BEGIN);

	if (rc < 0)
		return rc;
	if (intake->content != sizeof(body))
		return -EPROTO;
	rc = fastcgi_in_take(intake, (char *)body, sizeof(body));
	if (rc == 0)
		rc = fastcgi_in_skip_padding(intake);
	if (rc == 0 && fastcgi_in_u16(body) != FASTCGI_IN_RESPONDER)
		rc = fastcgi_in_refuse_role(intake);
	return rc;
}

static int fastcgi_in_read_params(struct fastcgi_in *intake)
{
	for (;;) {
		int rc = fastcgi_in_record(intake, FASTCGI_IN_PARAMS);
		size_t size = intake->content;

		if (rc == 0 && size > sizeof(intake->params) -
					      intake->params_size)
			rc = -E2BIG;
		if (rc == 0)
			rc = fastcgi_in_take(
				intake, intake->params + intake->params_size,
				size);
		if (rc == 0)
			rc = fastcgi_in_skip_padding(intake);
		if (rc < 0 || size == 0)
			return rc;
		intake->params_size += size;
	}
}

/* ---- parameters ------------------------------------------------------ */

/* One length at *AT, of one or four bytes. */
static bool fastcgi_in_length(const struct fastcgi_in *intake, size_t *at,
			      size_t *length)
{
	const unsigned char *bytes =
		(const unsigned char *)intake->params + *at;
	size_t left = intake->params_size - *at;
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

/* A NUL would end a text that goes on; a "=" would end a name. */
static bool fastcgi_in_good_pair(const char *name, size_t name_size,
				 size_t value_size)
{
	return name_size > 0 && !memchr(name, '=', name_size) &&
	       !memchr(name, '\0', name_size + value_size);
}

static int fastcgi_in_check_params(const struct fastcgi_in *intake)
{
	size_t at = 0;

	for (int i = 0; at < intake->params_size; i++) {
		size_t name, value;

		if (i == FASTCGI_IN_NAMES_MAX)
			return -E2BIG;
		if (!fastcgi_in_length(intake, &at, &name) ||
		    !fastcgi_in_length(intake, &at, &value) ||
		    name > intake->params_size - at ||
		    value > intake->params_size - at - name ||
		    !fastcgi_in_good_pair(intake->params + at, name, value))
			return -EPROTO;
		at += name + value;
	}
	return 0;
}

static void fastcgi_in_renew(struct fastcgi_in *intake)
{
	intake->end = io_now_ms() + intake->timeout_ms;
}

void fastcgi_in_param(const struct fastcgi_in *intake, const char *name,
		      char *text, size_t size)
{
	const size_t length = strlen(name);
	size_t at = 0, name_size, value;

	text[0] = '\0';
	while (at < intake->params_size &&
	       fastcgi_in_length(intake, &at, &name_size) &&
	       fastcgi_in_length(intake, &at, &value)) {
		const char *there = intake->params + at;

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

int fastcgi_in_open(struct fastcgi_in *intake, int fd, unsigned timeout_ms)
{
	return fastcgi_in_resume(intake, -1, fd, timeout_ms);
}

int fastcgi_in_resume(struct fastcgi_in *intake, int head, int fd,
		      unsigned timeout_ms)
{
	intake->fd = fd;
	intake->head = head;
	intake->timeout_ms = timeout_ms;
	intake->id = 0;
	intake->over = false;
	intake->content = intake->padding = 0;
	intake->at = intake->size = intake->params_size = 0;
	fastcgi_in_renew(intake);
	int rc = fastcgi_in_begin(intake);

	if (rc == -ECONNRESET && intake->size == 0)
		return -ENODATA;
	if (rc == 0)
		rc = fastcgi_in_read_params(intake);
	if (rc == 0)
		rc = fastcgi_in_check_params(intake);
	fastcgi_in_renew(intake);
	return rc;
}

/* ---- the body -------------------------------------------------------- */

/* Have a record of the body with something left in it; or find its end. */
static int fastcgi_in_body_record(struct fastcgi_in *intake)
{
	while (intake->content == 0 && !intake->over) {
		int rc = fastcgi_in_skip_padding(intake);

		if (rc == 0)
			rc = fastcgi_in_record(intake, FASTCGI_IN_STDIN);
		if (rc < 0)
			return rc;
		intake->over = intake->content == 0;
	}
	return 0;
}

/* Read at most SIZE bytes of the present record. */
static int fastcgi_in_piece(struct fastcgi_in *intake, char *data, size_t size,
			    size_t *got)
{
	size_t piece = intake->content < size ? intake->content : size;
	int rc = fastcgi_in_take(intake, data, piece);

	if (rc < 0)
		return rc;
	intake->content -= piece;
	if (*got / FASTCGI_IN_RENEW != (*got + piece) / FASTCGI_IN_RENEW)
		fastcgi_in_renew(intake);
	*got += piece;
	return 0;
}

ssize_t fastcgi_in_read(struct fastcgi_in *intake, char *data, size_t size)
{
	size_t got = 0;

	while (got < size && !intake->over) {
		int rc = fastcgi_in_body_record(intake);

		if (rc == 0)
			rc = fastcgi_in_piece(intake, data + got, size - got,
					      &got);
		if (rc < 0) {
			intake->over = true;
			return rc;
		}
	}
	return (ssize_t)got;
}

void fastcgi_in_drain(struct fastcgi_in *intake)
{
	char ignored[4096];

	fastcgi_in_renew(intake);
	while (fastcgi_in_read(intake, ignored, sizeof(ignored)) > 0)
		;
}

/* ---- the way back ---------------------------------------------------- */

int fastcgi_in_answer(const struct fastcgi_in *intake, char *record,
		      size_t size)
{
	fastcgi_in_put_header(record, FASTCGI_IN_STDOUT, intake->id, size);
	return io_write_full(intake->fd, record, FASTCGI_IN_HEADER + size);
}

/* ---- for the library ------------------------------------------------- */

/* Append a record of at most FASTCGI_IN_RECORD_MAX bytes to what ends at *END.
 */
static void fastcgi_in_put_record(char **end, const struct fastcgi_in *intake,
				  enum fastcgi_in_kind kind, const char *data,
				  size_t size)
{
	fastcgi_in_put_header(*end, kind, intake->id, size);
	memcpy(*end + FASTCGI_IN_HEADER, data, size);
	*end += FASTCGI_IN_HEADER + size;
}

static size_t fastcgi_in_put_head(const struct fastcgi_in *intake, char *text)
{
	const char begin[FASTCGI_IN_BEGIN_BODY] = {0, FASTCGI_IN_RESPONDER};
	char *end = text;

	fastcgi_in_put_record(&end, intake, FASTCGI_IN_BEGIN, begin,
			      sizeof(begin));
	for (size_t at = 0; at < intake->params_size;) {
		size_t size = intake->params_size - at;

		if (size > FASTCGI_IN_RECORD_MAX)
			size = FASTCGI_IN_RECORD_MAX;
		fastcgi_in_put_record(&end, intake, FASTCGI_IN_PARAMS,
				      intake->params + at, size);
		at += size;
	}
	fastcgi_in_put_record(&end, intake, FASTCGI_IN_PARAMS, "", 0);
	return (size_t)(end - text);
}

int fastcgi_in_head(const struct fastcgi_in *intake)
{
	owned_free char *text = malloc(intake->params_size +
				       FASTCGI_IN_HEAD_MORE);
	owned_fd int fd = memfd_create("request", MFD_CLOEXEC);

	if (!text || fd < 0)
		return text ? -errno : -ENOMEM;
	size_t size = fastcgi_in_put_head(intake, text);
	ssize_t n = pwrite(fd, text, size, 0);

	if (n != (ssize_t)size)
		return n < 0 ? -errno : -EIO;
	return take_fd(&fd);
}

int fastcgi_in_undo(const struct fastcgi_in *intake)
{
	owned_fd int fd = fastcgi_in_head(intake);

	if (fd < 0)
		return fd;
	if (lseek(fd, 0, SEEK_END) < 0)
		return -errno;
	int rc = io_write_full(fd, intake->buffer + intake->at,
			       intake->size - intake->at);

	if (rc == 0 && lseek(fd, 0, SEEK_SET) < 0)
		rc = -errno;
	return rc < 0 ? rc : take_fd(&fd);
}
