/* conn - see conn.h. */
#include "conn.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define CONN_ROOM (64 * 1024) /* first size of the buffer for an answer */
#define CONN_HEAD_MAX (32 * 1024)

static int conn_connect(unsigned port)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	owned_fd int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int on = 1;

	if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0 ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0)
		return -errno;
	return take_fd(&fd);
}

int conn_open(struct conn *conn, SSL_CTX *tls, unsigned port)
{
	int fd = conn_connect(port);

	if (fd < 0)
		return fd;
	conn->fd = fd;
	conn->ssl = SSL_new(tls);
	conn->state = CONN_IDLE;
	if (!conn->ssl || !SSL_set_fd(conn->ssl, fd) ||
	    SSL_connect(conn->ssl) != 1 ||
	    fcntl(fd, F_SETFL, O_NONBLOCK) < 0) {
		conn_close(conn);
		return -EPROTO;
	}
	return 0;
}

void conn_close(struct conn *conn)
{
	if (conn->state == CONN_CLOSED)
		return;
	SSL_free(conn->ssl);
	close(conn->fd);
	conn->state = CONN_CLOSED;
}

void conn_release(struct conn *conn)
{
	conn_close(conn);
	free(conn->in);
}

/* The meaning of a failed SSL call: wait, or a dead connection. */
static int conn_wait(struct conn *conn, int rc)
{
	int why = SSL_get_error(conn->ssl, rc);

	return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE
		       ? 0 : -ECONNRESET;
}

static int conn_send(struct conn *conn)
{
	while (conn->sent < conn->request->size) {
		size_t n = 0;
		int rc = SSL_write_ex(conn->ssl,
				      conn->request->data + conn->sent,
				      conn->request->size - conn->sent, &n);

		if (rc != 1)
			return conn_wait(conn, rc);
		conn->sent += n;
	}
	conn->state = CONN_READING;
	return 0;
}

int conn_begin(struct conn *conn, const struct text *request)
{
	conn->request = request;
	conn->sent = conn->have = conn->head = 0;
	conn->state = CONN_SENDING;
	return conn_send(conn);
}

/* The value of the header NAME (with its colon), or NULL. HEAD ends in NUL. */
static const char *conn_header(const char *head, const char *name)
{
	for (const char *line = strstr(head, "\r\n"); line && line[2];
	     line = strstr(line + 2, "\r\n"))
		if (strncasecmp(line + 2, name, strlen(name)) == 0)
			return line + 2 + strlen(name);
	return NULL;
}

static int conn_read_head(struct conn *conn)
{
	struct conn_reply *reply = &conn->reply;
	const char *end = memmem(conn->in, conn->have, "\r\n\r\n", 4);

	if (!end)
		return conn->have > CONN_HEAD_MAX ? -EBADMSG : 0;
	conn->head = (size_t)(end - conn->in) + 4;
	conn->in[conn->head - 1] = '\0'; /* the line feed of the empty line */
	const char *length = conn_header(conn->in, "Content-Length:");
	const char *connection = conn_header(conn->in, "Connection:");

	if (strncmp(conn->in, "HTTP/1.1 ", 9) != 0 || !length)
		return -EBADMSG;
	reply->status = atoi(conn->in + 9);
	reply->retry_after = conn_header(conn->in, "Retry-After:") != NULL;
	reply->closing = connection && strncasecmp(connection, " close", 6) == 0;
	reply->size = strtoul(length, NULL, 10);
	return 0;
}

/* Room for the announced bytes, or for one more piece. */
static int conn_make_room(struct conn *conn)
{
	size_t want = conn->head ? conn->head + conn->reply.size
				 : conn->have + CONN_ROOM / 2;

	if (want < conn->room)
		return 0;
	char *in = realloc(conn->in, want + CONN_ROOM);

	if (!in)
		return -ENOMEM;
	conn->in = in;
	conn->room = want + CONN_ROOM;
	return 0;
}

static int conn_receive(struct conn *conn)
{
	for (;;) {
		size_t n = 0;
		int rc = conn_make_room(conn);

		if (rc < 0)
			return rc;
		rc = SSL_read_ex(conn->ssl, conn->in + conn->have,
				 conn->room - conn->have, &n);
		if (rc != 1)
			return conn_wait(conn, rc);
		conn->have += n;
		rc = conn->head ? 0 : conn_read_head(conn);
		if (rc < 0)
			return rc;
		if (conn->head && conn->have >= conn->head + conn->reply.size)
			break;
	}
	conn->reply.body = conn->in + conn->head;
	conn->state = CONN_IDLE;
	return conn->have == conn->head + conn->reply.size ? 1 : -EBADMSG;
}

int conn_step(struct conn *conn)
{
	int rc = conn->state == CONN_SENDING ? conn_send(conn) : 0;

	/* A server may refuse a request that it has not read. */
	return rc < 0 ? rc : conn_receive(conn);
}
