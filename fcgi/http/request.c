/*
 * request - see request.h. fastcgi_in.c reads the connection and checks the
 * parameters; libfcgi parses the checked ones, and writes the answer.
 */
#include "request.h"

#include <errno.h>
#include <fcgiapp.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "fastcgi_in.h"
#include "sandbox/text/text.h"

#define REQUEST_CHUNK (FASTCGI_IN_CONTENT_MAX / 4 * 3) /* bytes of a file */
#define REQUEST_LARGE (4 << 20) /* bytes of a body that gets huge pages */

struct request {
	FCGX_Request fcgi;
	char id[REQUEST_ID_MAX];
	bool finished;
	bool gone; /* the connection is closed: reply_send_early() */
	int connection, head;
	struct fastcgi_in in;
};

/* The parameters that we rely on: each may be sent once only. */
static const char *const request_once[] = {
	"REQUEST_METHOD", "DOCUMENT_URI", "CONTENT_LENGTH", "CONTENT_TYPE",
	"REQUEST_ID", "TERRARIUM_CLIENT", "TERRARIUM_OWNER",
	"HTTP_ACCEPT", "HTTP_CONTENT_ENCODING", "HTTP_SESSION_MUST_EXIST",
	"REQUEST_MSEC", "QUERY_STRING", "TERRARIUM_ANY_HOST", "E2B_SANDBOX",
	"E2B_DOMAIN", "E2B_TAG", "E2B_ID_ALONE", "MCP_STREAM"};

void request_prepare(void)
{
	static const int taken[] = {SIGPIPE, SIGUSR1, SIGTERM};
	struct sigaction had[ARRAY_LEN(taken)];

	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		sigaction(taken[i], NULL, &had[i]);
	FCGX_Init();
	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		sigaction(taken[i], &had[i], NULL);
}

/* Errors of accept(2) that concern one connection. Only internet sockets have
 * them. */
static const int request_lost[] = {
	ECONNABORTED, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET,
	EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, ETIMEDOUT};

static int request_accept_error(int error)
{
	for (size_t i = 0; i < ARRAY_LEN(request_lost); i++)
		if (error == request_lost[i])
			return -ECONNABORTED;
	return error == EINVAL ? -EAGAIN : -error;
}

int request_accept(int listener, unsigned timeout_ms,
		   struct sockaddr_storage *peer)
{
	struct timeval limit = {.tv_sec = timeout_ms / 1000,
				.tv_usec = timeout_ms % 1000 * 1000};
	socklen_t size = sizeof(*peer);

	if (peer)
		*peer = (struct sockaddr_storage){0};
	int fd = accept4(listener, (struct sockaddr *)peer,
			 peer ? &size : NULL, SOCK_CLOEXEC);

	if (fd < 0)
		return request_accept_error(errno);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	return fd;
}

static void request_choose_id(struct request *request)
{
	const char *given = request_param(request, "REQUEST_ID");
	unsigned char random[16];
	size_t size = strlen(given);

	if (size == 32 && strspn(given, "0123456789abcdef") == size) {
		memcpy(request->id, given, REQUEST_ID_MAX);
		return;
	}
	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		memset(random, 0, sizeof(random));
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(request->id + 2 * i, 3, "%02x", random[i]);
}

/* Let libfcgi parse the parameters from a file, as a connection that is kept
 * alive. Then give it a copy of the connection's descriptor to write to: it
 * may close the copy, without waiting for the peer to close first. */
static int request_hand_over(struct request *request)
{
	owned_fd int head = fastcgi_in_head(&request->in);
	owned_fd int copy = fcntl(request->connection, F_DUPFD_CLOEXEC, 0);

	if (head < 0 || copy < 0)
		return head < 0 ? head : -errno;
	FCGX_InitRequest(&request->fcgi, -1, 0);
	request->fcgi.ipcFd = take_fd(&head);
	request->fcgi.keepConnection = 1;
	if (FCGX_Accept_r(&request->fcgi) < 0)
		return -EPROTO;
	close(request->fcgi.ipcFd);
	request->fcgi.ipcFd = take_fd(&copy);
	request->fcgi.detached = 1;
	return 0;
}

int request_read(struct request **out, int head, int connection,
		 unsigned timeout_ms)
{
	struct request *request = calloc(1, sizeof(*request));

	*out = NULL;
	if (!request) {
		close(connection);
		base_release_fd(&head);
		return -ENOMEM;
	}
	request->fcgi.ipcFd = -1;
	request->connection = connection;
	request->head = head;
	int rc = fastcgi_in_resume(&request->in, head, connection, timeout_ms);

	if (rc < 0) {
		request_close(&request);
		return rc;
	}
	*out = request;
	return 0;
}

int request_parse(struct request *request)
{
	int rc = request_hand_over(request);

	if (rc == 0)
		request_choose_id(request);
	return rc;
}

int request_open(struct request **out, int connection, unsigned timeout_ms)
{
	int rc = request_read(out, -1, connection, timeout_ms);

	if (rc == 0)
		rc = request_parse(*out);
	if (rc < 0)
		request_close(out);
	return rc;
}

void request_client(const struct request *request, char *name, size_t size)
{
	fastcgi_in_param(&request->in, "TERRARIUM_CLIENT", name, size);
}

int request_undo(const struct request *request)
{
	return fastcgi_in_undo(&request->in);
}

const char *request_param(const struct request *request, const char *name)
{
	const char *value = FCGX_GetParam(name, request->fcgi.envp);

	return value ? value : "";
}

int request_check(const struct request *request, struct refusal *why)
{
	for (size_t i = 0; i < ARRAY_LEN(request_once); i++) {
		size_t size = strlen(request_once[i]), seen = 0;

		for (char **at = request->fcgi.envp; *at; at++)
			seen += strncmp(*at, request_once[i], size) == 0 &&
				(*at)[size] == '=';
		if (seen > 1)
			return refuse(why, 400, "bad_request",
				      "%s was sent twice", request_once[i]);
	}
	return 0;
}

const char *request_id(const struct request *request)
{
	return request->id;
}

int request_connection(const struct request *request)
{
	return request->connection;
}

/* "" is 0: nginx sends that for a request without a body. */
static int request_length(const struct request *request, uint64_t max,
			  uint64_t *length, struct refusal *why)
{
	const char *text = request_param(request, "CONTENT_LENGTH");

	*length = 0;
	if (strspn(text, "0123456789") != strlen(text))
		return refuse(why, 400, "bad_length",
			      "CONTENT_LENGTH must be a decimal number");
	for (; *text; text++) {
		*length = *length * 10 + (uint64_t)(*text - '0');
		if (*length > max)
			return refuse(why, 413, "too_large",
				      "the body is larger than %llu bytes",
				      (unsigned long long)max);
	}
	return 0;
}

int request_body(struct request *request, uint64_t max, struct bytes *body,
		 struct refusal *why)
{
	uint64_t length;
	int rc = request_length(request, max, &length, why);

	*body = (struct bytes){0};
	if (rc < 0)
		return rc;
	body->data = malloc(length + 1);
	if (!body->data)
		return refuse(why, 503, "no_memory",
			      "no memory for a body of this size now");
	if (length >= REQUEST_LARGE)
		io_ask_huge_pages(body->data, body->data + length);
	char more;
	ssize_t n = fastcgi_in_read(&request->in, body->data, length);

	body->size = n < 0 ? 0 : (size_t)n;
	body->data[body->size] = '\0';
	if (n >= 0 && body->size == length)
		n = fastcgi_in_read(&request->in, &more, 1);
	if (n < 0)
		return refuse(why, 400, "length_mismatch",
			      "the body broke off before its end: %s",
			      log_errno((int)n));
	if (body->size < length || n > 0)
		return refuse(why, 400, "length_mismatch",
			      "the body is not as long as CONTENT_LENGTH says");
	return 0;
}

/* ---- the answer ------------------------------------------------------ */

static const struct {
	int status;
	const char *phrase;
} request_phrases[] = {
	{200, "OK"},	      {201, "Created"},
	{202, "Accepted"},
	{204, "No Content"},  {400, "Bad Request"},
	{403, "Forbidden"},   {404, "Not Found"},
	{405, "Method Not Allowed"}, {413, "Content Too Large"},
	{409, "Conflict"},    {429, "Too Many Requests"},
	{502, "Bad Gateway"},
	{415, "Unsupported Media Type"}, {422, "Unprocessable Content"},
	{500, "Internal Server Error"},	 {501, "Not Implemented"},
	{503, "Service Unavailable"},
	{504, "Gateway Timeout"}, {507, "Insufficient Storage"},
};

static const char *request_phrase(int status)
{
	for (size_t i = 0; i < ARRAY_LEN(request_phrases); i++)
		if (request_phrases[i].status == status)
			return request_phrases[i].phrase;
	return "Status";
}

static int request_put(struct request *request, const char *data, size_t size)
{
	while (size > 0) {
		int want = size < (1 << 20) ? (int)size : 1 << 20;

		if (FCGX_PutStr(data, want, request->fcgi.out) < want)
			return -EPIPE;
		data += want;
		size -= (size_t)want;
	}
	return 0;
}

static int request_put_head(struct request *request, const struct reply *reply)
{
	owned_free char *head = NULL;
	char retry[40] = "", next[40] = "";

	if (reply->retry_after_s > 0)
		snprintf(retry, sizeof(retry), "Retry-After: %u\r\n",
			 reply->retry_after_s);
	if (reply->next > 0)
		snprintf(next, sizeof(next), "X-Next-Token: %u\r\n",
			 reply->next);
	int size = asprintf(
		&head,
		"Status: %d %s\r\nContent-Type: %s\r\nContent-Length: %llu\r\n"
		"%s%s%s%s%s%s%s%s%s\r\n",
		reply->status, request_phrase(reply->status),
		reply->content_type ? reply->content_type : "application/json",
		(unsigned long long)reply_length(reply), retry, next,
		reply->attachment ? "Content-Disposition: attachment\r\n"
				  : "",
		reply->allow ? "Allow: " : "", reply->allow ? reply->allow : "",
		reply->allow ? "\r\n" : "", reply->id ? "X-Request-Id: " : "",
		reply->id ? reply->id : "", reply->id ? "\r\n" : "");

	return size < 0 ? -ENOMEM : request_put(request, head, (size_t)size);
}

/* Send one chunk as a record of its own, because the library would split and
 * copy it. */
static int request_put_chunk(struct request *request, const char *chunk,
			     size_t size)
{
	char record[FASTCGI_IN_HEADER + FASTCGI_IN_CONTENT_MAX], *out;
	struct text_base64 state = {0};
	size_t used;

	out = record + FASTCGI_IN_HEADER;
	used = text_base64_encode(&state, chunk, size, out);
	used += text_base64_finish(&state, out + used);
	if (size < REQUEST_CHUNK)
		return request_put(request, out, used);
	if (FCGX_FFlush(request->fcgi.out) < 0)
		return -EPIPE;
	return fastcgi_in_answer(&request->in, record, used);
}

/* The file cannot change: every process that could write to it is dead. */
static int request_put_file(struct request *request,
			    const struct reply_part *part)
{
	char chunk[REQUEST_CHUNK];
	int rc = 0;

	for (size_t at = 0; at < part->size && rc == 0; at += sizeof(chunk)) {
		size_t left = part->size - at;
		size_t want = left < sizeof(chunk) ? left : sizeof(chunk);
		ssize_t n = pread(part->fd, chunk, want, (off_t)at);

		if (n != (ssize_t)want)
			return n < 0 ? -errno : -EIO;
		rc = part->raw ? request_put(request, chunk, want)
			       : request_put_chunk(request, chunk, want);
	}
	return rc;
}

int reply_send(struct request *request, const struct reply *reply)
{
	int rc = reply->error ? reply->error
			      : request_put_head(request, reply);

	for (size_t i = 0; i < reply->parts_count && rc == 0; i++) {
		const struct reply_part *part = &reply->parts[i];

		rc = part->text ? request_put(request, part->text, part->size)
				: request_put_file(request, part);
	}
	/* No end record after an error: a reply that is cut short must not look
	 * complete. */
	if (rc == 0)
		request_finish(request);
	return rc;
}

/* A web server waits for the end of the connection. */
static void request_hang_up(struct request *request)
{
	request->gone = true;
	base_release_fd(&request->fcgi.ipcFd);
	base_release_fd(&request->connection);
}

/* Closing the streams sends the last records, and keeps the parameters. */
int reply_send_early(struct request *request, const struct reply *reply)
{
	int rc = reply->error ? reply->error
			      : request_put_head(request, reply);

	for (size_t i = 0; i < reply->parts_count && rc == 0; i++)
		rc = request_put(request, reply->parts[i].text,
				 reply->parts[i].size);
	if (rc == 0 && (FCGX_FClose(request->fcgi.err) < 0 ||
			FCGX_FClose(request->fcgi.out) < 0))
		rc = -EPIPE;
	request_hang_up(request);
	return rc;
}

_Static_assert(REQUEST_PIECE_HEADER == FASTCGI_IN_HEADER &&
		       REQUEST_PIECE_MAX == FASTCGI_IN_CONTENT_MAX,
	       "a piece is a record");

void request_piece(const struct request *request,
		   char header[REQUEST_PIECE_HEADER], size_t size)
{
	fastcgi_in_answer_header(&request->in, header, size);
}

void request_finish(struct request *request)
{
	request->finished = true;
	FCGX_Finish_r(&request->fcgi);
}

void request_close(struct request **slot)
{
	struct request *request = *slot;

	if (!request)
		return;
	if (request->gone) {
		FCGX_Free(&request->fcgi, 0);
	} else if (request->finished) {
		fastcgi_in_drain(&request->in);
	} else if (request->fcgi.ipcFd >= 0) {
		FCGX_Free(&request->fcgi, 1);
	}
	base_release_fd(&request->connection);
	base_release_fd(&request->head);
	free(request);
	*slot = NULL;
}

void request_forget(struct request **slot)
{
	struct fastcgi_in *in = &(*slot)->in;

	explicit_bzero(in->buffer, in->size);
	explicit_bzero(in->params, in->params_size);
	request_close(slot);
}
