/* session_pieces - see session_pieces.h. */
#include "session_pieces.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>

#include "sandbox/base/io.h"
#include "session_order.h"

/* ---- session keeper -------------------------------------------------- */

static void session_pieces_follow(struct session_pieces *pieces)
{
	struct sink *sink = &pieces->sink;

	outbox_push(&pieces->out);
	sink->pending = outbox_left(&pieces->out) > 0;
	sink->full = outbox_is_full(&pieces->out, sink->full);
	sink->error = pieces->out.error;
}

/* Send a piece in the form of transfer_send_bytes(). */
static void session_pieces_send(struct sink *sink,
				enum session_order_piece kind,
				const char *data, size_t size)
{
	struct session_pieces *pieces = (struct session_pieces *)sink;
	const struct session_order_answer head = {.kind = SESSION_ORDER_PIECE,
						  .detail = kind};
	const uint64_t length = size;

	outbox_add(&pieces->out, &head, sizeof(head));
	outbox_add(&pieces->out, &length, sizeof(length));
	outbox_add(&pieces->out, data, size);
	session_pieces_follow(pieces);
}

static void session_pieces_begin(struct sink *sink)
{
	session_pieces_send(sink, SESSION_ORDER_PIECE_BEGIN, "", 0);
}

static void session_pieces_output(struct sink *sink, enum sink_stream stream,
				  const char *data, size_t size)
{
	session_pieces_send(sink,
			    stream == SINK_OUT ? SESSION_ORDER_PIECE_OUT
					       : SESSION_ORDER_PIECE_ERR,
			    data, size);
}

static void session_pieces_display(struct sink *sink, const struct bytes *text)
{
	session_pieces_send(sink, SESSION_ORDER_PIECE_DISPLAY, text->data,
			    text->size);
}

static void session_pieces_flush(struct sink *sink)
{
	session_pieces_follow((struct session_pieces *)sink);
}

static const struct sink_calls session_pieces_calls = {
	.begin = session_pieces_begin,
	.output = session_pieces_output,
	.display = session_pieces_display,
	.flush = session_pieces_flush,
};

void session_pieces_init(struct session_pieces *pieces, int fd)
{
	*pieces = (struct session_pieces){
		.sink = {.calls = &session_pieces_calls,
			 .fd = fd, .next = INT64_MAX},
		.out.fd = fd};
}

void session_pieces_finish(struct session_pieces *pieces,
			   struct transfer *channel)
{
	if (outbox_left(&pieces->out) > 0)
		transfer_send(channel, pieces->out.data + pieces->out.at,
			      outbox_left(&pieces->out));
	outbox_free(&pieces->out);
}

/* ---- worker ---------------------------------------------------------- */

struct session_pieces_left session_pieces_left(const struct limits *limits)
{
	return (struct session_pieces_left){
		.out = (uint64_t)limits->output_kb << 10,
		.err = (uint64_t)limits->output_kb << 10,
		.displays = (uint64_t)limits->displays_mb << 20,
		.displays_count = limits->displays};
}

static void session_pieces_serve(struct sink *sink, bool writable)
{
	int64_t now = io_now_ms();

	if (writable)
		sink->calls->flush(sink);
	if (now >= sink->next)
		sink->calls->tick(sink, now);
}

/* Until the next event, until END, or until SINK's next time. */
static int session_pieces_poll(const struct sink *sink, struct pollfd polled[3],
			       int64_t end)
{
	int64_t next = sink->next < end ? sink->next : end;
	int64_t left = next - io_now_ms();
	int n = poll(polled, 3, left < 0	 ? 0
				: left > INT_MAX ? INT_MAX
						 : (int)left);

	return n < 0 && errno != EINTR ? -errno : 0;
}

bool session_pieces_wait(struct sink *sink, struct transfer *channel,
			 int timeout_ms)
{
	const int64_t end = io_now_ms() + timeout_ms;

	while (!channel->error) {
		struct pollfd polled[] = {
			{.fd = sink->full ? -1 : channel->fd, .events = POLLIN},
			{.fd = channel->client, .events = POLLRDHUP},
			{.fd = sink->pending ? sink->fd : -1,
			 .events = POLLOUT}};
		int rc = session_pieces_poll(sink, polled, end);

		if (rc < 0)
			return transfer_fail(channel, rc);
		session_pieces_serve(sink, polled[2].revents != 0);
		if (polled[1].revents || sink->error)
			return transfer_fail(channel, -ECANCELED);
		if (polled[0].revents)
			return true;
		if (io_now_ms() >= end) /* or the client takes nothing */
			return transfer_fail(channel, sink->full ? -ECANCELED
								 : -ETIMEDOUT);
	}
	return false;
}

static void session_pieces_call(struct sink *sink, uint32_t kind,
				const struct bytes *data)
{
	if (kind == SESSION_ORDER_PIECE_BEGIN)
		sink->calls->begin(sink);
	else if (kind == SESSION_ORDER_PIECE_DISPLAY)
		sink->calls->display(sink, data);
	else
		sink->calls->output(sink,
				    kind == SESSION_ORDER_PIECE_OUT ? SINK_OUT
								    : SINK_ERR,
				    data->data, data->size);
}

bool session_pieces_pass(struct sink *sink, struct transfer *channel,
			 uint32_t kind, struct session_pieces_left *left)
{
	uint64_t none = 0, *const room[SESSION_ORDER_PIECES] = {
		[SESSION_ORDER_PIECE_BEGIN] = &none,
		[SESSION_ORDER_PIECE_OUT] = &left->out,
		[SESSION_ORDER_PIECE_ERR] = &left->err,
		[SESSION_ORDER_PIECE_DISPLAY] = &left->displays};
	struct bytes data = {0};

	if (!sink || kind >= SESSION_ORDER_PIECES ||
	    (kind == SESSION_ORDER_PIECE_DISPLAY && left->displays_count == 0))
		return transfer_fail(channel, -EPROTO);
	left->displays_count -= kind == SESSION_ORDER_PIECE_DISPLAY;
	bool received = transfer_receive_bytes(channel, room[kind], &data);

	if (received && !data.data)
		received = transfer_fail(channel, -EPROTO);
	if (received)
		session_pieces_call(sink, kind, &data);
	free(data.data);
	return received;
}
