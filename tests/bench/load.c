/*
 * load - sends one request again and again, and checks every answer.
 *
 *	load -p PORT -k CACERT -b FILE -t TOKEN... [-c N] [-r RATE] [-s S]
 *	     [-e TEXT...] [-E FILE...]
 *
 * N connections by TLS, kept alive, from one thread. Without -r each sends as
 * soon as it has its answer; with it, requests become due RATE times a second
 * whatever the answers do, and one that finds no free connection is timed
 * from when it was due. An answer is right when its status is 200 and its
 * body holds every TEXT and every FILE's content; 503 with Retry-After is a
 * refusal; all else is a failure.
 *
 * When all connections stand it prints "ready" and waits for a line, so that
 * the caller can look at the server's counters at the right moment; then one
 * line of JSON. Its own processor time is in it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>

#include "conn.h"

#define LOAD_CONNS_MAX 1024
#define LOAD_WORDS_MAX 16   /* tokens; texts to expect */
#define LOAD_DRAIN_S 60	    /* for the last answers */
#define LOAD_FILE_MAX (256u << 20)
#define LOAD_WHY_MAX 200
#define NS 1000000000LL

struct times {
	int64_t *ns;
	size_t count, room;
};

struct load {
	/* options */
	unsigned port;
	const char *cacert;
	struct text body;
	const char *tokens[LOAD_WORDS_MAX];
	size_t token_count;
	struct text expected[LOAD_WORDS_MAX];
	size_t expected_count;
	unsigned conns;
	double rate, seconds;
	/* resources */
	SSL_CTX *tls;
	struct text requests[LOAD_WORDS_MAX]; /* one for each token */
	const struct text *request[LOAD_CONNS_MAX]; /* of each connection */
	struct conn conn[LOAD_CONNS_MAX];
	int poller;
	int64_t start, end, last;
	uint64_t begun, busy, reopened;
	/* results */
	struct times right, refused;
	uint64_t failed;
	char why[LOAD_WHY_MAX];
};

static void quit(const char *what) NORETURN;

static void quit(const char *what)
{
	fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS + now.tv_nsec;
}

static double cpu_s(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

/* ---- requests -------------------------------------------------------- */

static struct text read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct text text = {.data = malloc(LOAD_FILE_MAX)};

	if (!file || !text.data)
		quit(path);
	text.size = fread(text.data, 1, LOAD_FILE_MAX, file);
	if (ferror(file) || text.size == LOAD_FILE_MAX)
		quit(path);
	fclose(file);
	return text;
}

static struct text make_request(const struct load *load, const char *token)
{
	char head[1024];
	int n = snprintf(head, sizeof(head),
			 "POST / HTTP/1.1\r\nHost: localhost\r\n"
			 "Authorization: Bearer %s\r\n"
			 "Content-Type: application/json\r\n"
			 "Content-Length: %zu\r\n\r\n", token, load->body.size);
	struct text request = {.size = (size_t)n + load->body.size};

	if (n < 0 || (size_t)n >= sizeof(head))
		quit("a token is too long");
	request.data = malloc(request.size);
	if (!request.data)
		quit("a request");
	memcpy(request.data, head, (size_t)n);
	memcpy(request.data + n, load->body.data, load->body.size);
	return request;
}

/* ---- replies --------------------------------------------------------- */

static void times_add(struct times *times, int64_t ns)
{
	if (times->count == times->room) {
		times->room = times->room ? 2 * times->room : 4096;
		times->ns = realloc(times->ns,
				    times->room * sizeof(*times->ns));
		if (!times->ns)
			quit("times");
	}
	times->ns[times->count++] = ns;
}

static void load_failed(struct load *load, const char *what,
			const struct conn_reply *reply)
{
	size_t n = 0;

	load->failed++;
	if (load->why[0])
		return; /* the first is told */
	n = (size_t)snprintf(load->why, sizeof(load->why), "%s", what);
	for (size_t i = 0; reply && i < reply->size &&
			   n + 1 < sizeof(load->why); i++, n++)
		if (strchr("\"\\", reply->body[i]) || reply->body[i] < ' ')
			load->why[n] = '.';
		else
			load->why[n] = reply->body[i];
	load->why[n < sizeof(load->why) ? n : sizeof(load->why) - 1] = '\0';
}

static bool load_is_right(const struct load *load,
			  const struct conn_reply *reply)
{
	for (size_t i = 0; i < load->expected_count; i++)
		if (!memmem(reply->body, reply->size, load->expected[i].data,
			    load->expected[i].size))
			return false;
	return reply->status == 200;
}

static void load_judge(struct load *load, const struct conn *conn)
{
	const struct conn_reply *reply = &conn->reply;
	char what[32];

	if (load_is_right(load, reply)) {
		times_add(&load->right, load->last - conn->begun);
	} else if (reply->status == 503 && reply->retry_after) {
		times_add(&load->refused, load->last - conn->begun);
	} else {
		snprintf(what, sizeof(what), "status %d: ", reply->status);
		load_failed(load, what, reply);
	}
}

/* ---- connections ----------------------------------------------------- */

static void load_open(struct load *load, struct conn *conn)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET,
				    .data.ptr = conn};

	if (conn_open(conn, load->tls, load->port) < 0)
		quit("connect");
	if (epoll_ctl(load->poller, EPOLL_CTL_ADD, conn->fd, &event) < 0)
		quit("epoll");
}

/* RC is of conn_step() or conn_begin(). */
static void load_went(struct load *load, struct conn *conn, int rc)
{
	if (rc == 0)
		return;
	load->last = now_ns();
	load->busy--;
	if (rc < 0)
		load_failed(load, strerror(-rc), NULL);
	else
		load_judge(load, conn);
	if (rc < 0 || conn->reply.closing)
		conn_close(conn);
}

static void load_begin(struct load *load, struct conn *conn, int64_t begun)
{
	if (conn->state == CONN_CLOSED) {
		load_open(load, conn);
		load->reopened++;
	}
	conn->begun = begun;
	load->begun++;
	load->busy++;
	load_went(load, conn,
		  conn_begin(conn, load->request[conn - load->conn]));
}

/* A server may end a connection that is idle; it may also send tickets. */
static void load_event(struct load *load, struct conn *conn)
{
	char byte;

	if (conn->state == CONN_SENDING || conn->state == CONN_READING) {
		load_went(load, conn, conn_step(conn));
	} else if (conn->state == CONN_IDLE) {
		int rc = SSL_read(conn->ssl, &byte, 1);

		if (rc > 0 ||
		    SSL_get_error(conn->ssl, rc) != SSL_ERROR_WANT_READ)
			conn_close(conn);
	}
}

static struct conn *load_idle(struct load *load)
{
	static unsigned next; /* in turn: tokens share the load */

	for (unsigned i = 0; i < load->conns; i++) {
		struct conn *conn = &load->conn[next++ % load->conns];

		if (conn->state == CONN_IDLE || conn->state == CONN_CLOSED)
			return conn;
	}
	return NULL;
}

/* Send the requests that are due; returns the ns until the next is due. */
static int64_t load_send(struct load *load)
{
	for (;;) {
		int64_t now = now_ns();
		int64_t due = load->rate > 0
				      ? load->start + (int64_t)((double)
					NS * (double)load->begun / load->rate)
				      : now;
		struct conn *conn;

		if (due > load->end || now > load->end)
			return load->end + LOAD_DRAIN_S * NS - now;
		if (due > now)
			return due - now;
		conn = load_idle(load);
		if (!conn)
			return NS;
		/* A timer's lateness is ours, the wait for a connection is
		 * not: the latter begins when an answer was late. */
		load_begin(load, conn,
			   due < load->last ? due : now);
	}
}

static void load_run(struct load *load)
{
	struct epoll_event events[256];

	load->start = load->last = now_ns();
	load->end = load->start + (int64_t)(load->seconds * (double)NS);
	for (;;) {
		int64_t wait = load_send(load);
		struct timespec pause = {wait / NS, wait % NS};
		int n;

		if (now_ns() >= load->end &&
		    (load->busy == 0 || wait <= 0))
			return;
		n = epoll_pwait2(load->poller, events, ARRAY_LEN(events),
				 &pause, NULL);
		if (n < 0 && errno != EINTR)
			quit("epoll");
		for (int i = 0; i < n; i++)
			load_event(load, events[i].data.ptr);
	}
}

/* ---- the report ------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void print_times(const char *name, struct times *times)
{
	static const struct {
		const char *name;
		double part;
	} rows[] = {{"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"max", 1}};

	printf("\"%s\":%zu", name, times->count);
	if (times->count == 0)
		return;
	qsort(times->ns, times->count, sizeof(*times->ns), compare);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t at = (size_t)((double)(times->count - 1) *
				     rows[i].part + 0.5);

		printf(",\"%s_%s_ms\":%.4f", name, rows[i].name,
		       (double)times->ns[at] / 1e6);
	}
	putchar(',');
}

static void load_print(struct load *load, double cpu)
{
	double seconds = (double)(load->last - load->start) / (double)NS;

	putchar('{');
	print_times("right", &load->right);
	if (load->right.count == 0)
		putchar(',');
	print_times("refused", &load->refused);
	if (load->refused.count == 0)
		putchar(',');
	printf("\"failed\":%" PRIu64 ",\"unanswered\":%" PRIu64
	       ",\"why\":\"%s\",\"seconds\":%.4f,\"reopened\":%" PRIu64
	       ",\"cpu_s\":%.4f}\n", load->failed, load->busy, load->why,
	       seconds, load->reopened, cpu);
}

/* ---- start ----------------------------------------------------------- */

static void load_prepare(struct load *load)
{
	size_t token = 0;

	load->tls = SSL_CTX_new(TLS_client_method());
	if (!load->tls ||
	    SSL_CTX_load_verify_locations(load->tls, load->cacert, NULL) != 1)
		quit(load->cacert);
	SSL_CTX_set_verify(load->tls, SSL_VERIFY_PEER, NULL);
	SSL_CTX_set_mode(load->tls, SSL_MODE_ENABLE_PARTIAL_WRITE);
	SSL_CTX_set_read_ahead(load->tls, 1); /* a record, one read(2) */
	load->poller = epoll_create1(EPOLL_CLOEXEC);
	if (load->poller < 0)
		quit("epoll");
	for (size_t i = 0; i < load->token_count; i++)
		load->requests[i] = make_request(load, load->tokens[i]);
	for (unsigned i = 0; i < load->conns; i++) {
		load->request[i] = &load->requests[token++];
		if (token == load->token_count)
			token = 0;
		load_open(load, &load->conn[i]);
	}
}

static void load_add_text(struct load *load, struct text text)
{
	if (load->expected_count == LOAD_WORDS_MAX)
		quit("too many texts");
	load->expected[load->expected_count++] = text;
}

static void load_options(struct load *load, int argc, char **argv)
{
	for (int c; (c = getopt(argc, argv, "p:k:b:t:c:r:s:e:E:")) != -1;) {
		switch (c) {
		case 'p': load->port = (unsigned)atoi(optarg); break;
		case 'k': load->cacert = optarg; break;
		case 'b': load->body = read_file(optarg); break;
		case 'c': load->conns = (unsigned)atoi(optarg); break;
		case 'r': load->rate = strtod(optarg, NULL); break;
		case 's': load->seconds = strtod(optarg, NULL); break;
		case 'e':
			load_add_text(load, (struct text){optarg,
							  strlen(optarg)});
			break;
		case 'E': load_add_text(load, read_file(optarg)); break;
		case 't':
			if (load->token_count == LOAD_WORDS_MAX)
				quit("too many tokens");
			load->tokens[load->token_count++] = optarg;
			break;
		default: exit(2);
		}
	}
	if (!load->port || !load->cacert || !load->body.data ||
	    !load->token_count || !load->conns ||
	    load->conns > LOAD_CONNS_MAX) {
		fputs("load: -p, -k, -b and -t are needed; -c is 1 to 1024\n",
		      stderr);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	static struct load load = {.conns = 1, .seconds = 1};
	char line[16];

	load_options(&load, argc, argv);
	load_prepare(&load);
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 0;
	double cpu = cpu_s();

	load_run(&load);
	load_print(&load, cpu_s() - cpu);
	for (unsigned i = 0; i < load.conns; i++)
		conn_release(&load.conn[i]);
	return 0;
}
