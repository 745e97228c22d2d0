/*
 * intake - see intake.h; the records are those of the FastCGI specification,
 * version 1.
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

#define INTAKE_VERSION 1
#define INTAKE_RESPONDER 1
#define INTAKE_UNKNOWN_ROLE 3
#define INTAKE_RECORD_MAX 65535
#define INTAKE_RENEW (1U << 20) /* bytes of body that renew the time-out */

enum intake_kind {
	INTAKE_BEGIN = 1,
	INTAKE_END = 3,
	INTAKE_PARAMS = 4,
	INTAKE_STDIN = 5,
	INTAKE_STDOUT = 6
};

#define INTAKE_BEGIN_BODY 8
/* Bytes of a head besides its parameters, which take two records at most. */
#define INTAKE_HEAD_MORE (4 * INTAKE_HEADER + INTAKE_BEGIN_BODY)

/* ---- bytes ----------------------------------------------------------- */

/* Wait for bytes and read at most SIZE. 0 when the peer left. */
static ssize_t intake_receive(struct intake *intake, char *data, size_t size)
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
static int intake_take(struct intake *intake, char *data, size_t size)
{
	while (size > 0) {
		size_t there = intake->size - intake->at;

		if (there == 0) {
			ssize_t n = intake_receive(intake, intake->buffer,
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

static unsigned intake_u16(const unsigned char *bytes)
{
	return (unsigned)bytes[0] << 8 | bytes[1];
}

/* Begin the next record, which must be of this KIND and of our request. */
static int intake_record(struct intake *intake, enum intake_kind kind)
{
	unsigned char header[INTAKE_HEADER];
	int rc = intake_take(intake, (char *)header, sizeof(header));

	if (rc < 0)
		return rc;
	if (header[0] != INTAKE_VERSION || header[1] != kind)
		return -EPROTO;
	unsigned id = intake_u16(header + 2);

	if (id == 0 || (kind != INTAKE_BEGIN && id != intake->id))
		return -EPROTO;
	intake->id = (uint16_t)id;
	intake->content = intake_u16(header + 4);
	intake->padding = header[6];
	return 0;
}

static int intake_skip_padding(struct intake *intake)
{
	int rc = intake_take(intake, NULL, intake->padding);

	intake->padding = 0;
	return rc;
}

static void intake_put_header(void *header, enum intake_kind kind,
			      unsigned id, size_t size)
{
	const unsigned char bytes[INTAKE_HEADER] = {
		INTAKE_VERSION, (unsigned char)kind, (unsigned char)(id >> 8),
		(unsigned char)id, (unsigned char)(size >> 8),
		(unsigned char)size};

	memcpy(header, bytes, sizeof(bytes));
}

/* Not what this server is for; there is a record that says so. */
static int intake_refuse_role(const struct intake *intake)
{
	unsigned char answer[INTAKE_HEADER * 2] = {0};

	intake_put_header(answer, INTAKE_END, intake->id, INTAKE_HEADER);
	answer[INTAKE_HEADER + 4] = INTAKE_UNKNOWN_ROLE;
	/* If it cannot be sent, nobody is there to hear it. */
	ssize_t ignored = send(intake->fd, answer, sizeof(answer),
			       MSG_DONTWAIT | MSG_NOSIGNAL);

	(void)ignored;
	return -EPROTO;
}

static int intake_begin(struct intake *intake)
{
	unsigned char body[INTAKE_BEGIN_BODY];
	int rc = intake_record(intake, INTAKE_BEGIN);

	if (rc < 0)
		return rc;
	if (intake->content != sizeof(body))
		return -EPROTO;
	rc = intake_take(intake, (char *)body, sizeof(body));
	if (rc == 0)
		rc = intake_skip_padding(intake);
	if (rc == 0 && intake_u16(body) != INTAKE_RESPONDER)
		rc = intake_refuse_role(intake);
	return rc;
}

static int intake_read_params(struct intake *intake)
{
	for (;;) {
		int rc = intake_record(intake, INTAKE_PARAMS);
		size_t size = intake->content;

		if (rc == 0 && size > sizeof(intake->params) -
					      intake->params_size)
			rc = -E2BIG;
		if (rc == 0)
			rc = intake_take(intake,
					 intake->params + intake->params_size,
					 size);
		if (rc == 0)
			rc = intake_skip_padding(intake);
		if (rc < 0 || size == 0)
			return rc;
		intake->params_size += size;
	}
}

/* ---- parameters ------------------------------------------------------ */

/* One length at *AT, of one or four bytes. */
static bool intake_length(const struct intake *intake, size_t *at,
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
static bool intake_good_pair(const char *name, size_t name_size,
			     size_t value_size)
{
	return name_size > 0 && !memchr(name, '=', name_size) &&
	       !memchr(name, '\0', name_size + value_size);
}

static int intake_check_params(const struct intake *intake)
{
	size_t at = 0;

	for (int i = 0; at < intake->params_size; i++) {
		size_t name, value;

		if (i == INTAKE_NAMES_MAX)
			return -E2BIG;
		if (!intake_length(intake, &at, &name) ||
		    !intake_length(intake, &at, &value) ||
		    name > intake->params_size - at ||
		    value > intake->params_size - at - name ||
		    !intake_good_pair(intake->params + at, name, value))
			return -EPROTO;
		at += name + value;
	}
	return 0;
}

static void intake_renew(struct intake *intake)
{
	intake->end = io_now_ms() + intake->timeout_ms;
}

void intake_param(const struct intake *intake, const char *name, char *text,
		  size_t size)
{
	const size_t length = strlen(name);
	size_t at = 0, name_size, value;

	text[0] = '\0';
	while (at < intake->params_size &&
	       intake_length(intake, &at, &name_size) &&
	       intake_length(intake, &at, &value)) {
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

int intake_open(struct intake *intake, int fd, unsigned timeout_ms)
{
	return intake_resume(intake, -1, fd, timeout_ms);
}

int intake_resume(struct intake *intake, int head, int fd,
		  unsigned timeout_ms)
{
	intake->fd = fd;
	intake->head = head;
	intake->timeout_ms = timeout_ms;
	intake->id = 0;
	intake->over = false;
	intake->content = intake->padding = 0;
	intake->at = intake->size = intake->params_size = 0;
	intake_renew(intake);
	int rc = intake_begin(intake);

	if (rc == -ECONNRESET && intake->size == 0)
		return -ENODATA;
	if (rc == 0)
		rc = intake_read_params(intake);
	if (rc == 0)
		rc = intake_check_params(intake);
	intake_renew(intake);
	return rc;
}

/* ---- the body -------------------------------------------------------- */

/* Have a record of the body with something left in it; or find its end. */
static int intake_body_record(struct intake *intake)
{
	while (intake->content == 0 && !intake->over) {
		int rc = intake_skip_padding(intake);

		if (rc == 0)
			rc = intake_record(intake, INTAKE_STDIN);
		if (rc < 0)
			return rc;
		intake->over = intake->content == 0;
	}
	return 0;
}

/* Read at most SIZE bytes of the present record. */
static int intake_piece(struct intake *intake, char *data, size_t size,
			size_t *got)
{
	size_t piece = intake->content < size ? intake->content : size;
	int rc = intake_take(intake, data, piece);

	if (rc < 0)
		return rc;
	intake->content -= piece;
	if (*got / INTAKE_RENEW != (*got + piece) / INTAKE_RENEW)
		intake_renew(intake);
	*got += piece;
	return 0;
}

ssize_t intake_read(struct intake *intake, char *data, size_t size)
{
	size_t got = 0;

	while (got < size && !intake->over) {
		int rc = intake_body_record(intake);

		if (rc == 0)
			rc = intake_piece(intake, data + got, size - got,
					  &got);
		if (rc < 0) {
			intake->over = true;
			return rc;
		}
	}
	return (ssize_t)got;
}

void intake_drain(struct intake *intake)
{
	char ignored[4096];

	intake_renew(intake);
	while (intake_read(intake, ignored, sizeof(ignored)) > 0)
		;
}

/* ---- the way back ---------------------------------------------------- */

int intake_answer(const struct intake *intake, char *record, size_t size)
{
	intake_put_header(record, INTAKE_STDOUT, intake->id, size);
	return io_write_full(intake->fd, record, INTAKE_HEADER + size);
}

/* ---- for the library ------------------------------------------------- */

/* Append a record of at most INTAKE_RECORD_MAX bytes to what ends at *END. */
static void intake_put_record(char **end, const struct intake *intake,
			      enum intake_kind kind, const char *data,
			      size_t size)
{
	intake_put_header(*end, kind, intake->id, size);
	memcpy(*end + INTAKE_HEADER, data, size);
	*end += INTAKE_HEADER + size;
}

static size_t intake_put_head(const struct intake *intake, char *text)
{
	const char begin[INTAKE_BEGIN_BODY] = {0, INTAKE_RESPONDER};
	char *end = text;

	intake_put_record(&end, intake, INTAKE_BEGIN, begin, sizeof(begin));
	for (size_t at = 0; at < intake->params_size;) {
		size_t size = intake->params_size - at;

		if (size > INTAKE_RECORD_MAX)
			size = INTAKE_RECORD_MAX;
		intake_put_record(&end, intake, INTAKE_PARAMS,
				  intake->params + at, size);
		at += size;
	}
	intake_put_record(&end, intake, INTAKE_PARAMS, "", 0);
	return (size_t)(end - text);
}

int intake_head(const struct intake *intake)
{
	owned_free char *text = malloc(intake->params_size +
				       INTAKE_HEAD_MORE);
	owned_fd int fd = memfd_create("request", MFD_CLOEXEC);

	if (!text || fd < 0)
		return text ? -errno : -ENOMEM;
	size_t size = intake_put_head(intake, text);
	ssize_t n = pwrite(fd, text, size, 0);

	if (n != (ssize_t)size)
		return n < 0 ? -errno : -EIO;
	return take_fd(&fd);
}

int intake_undo(const struct intake *intake)
{
	owned_fd int fd = intake_head(intake);

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
