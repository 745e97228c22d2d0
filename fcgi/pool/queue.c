/*
 * queue - keeps calls of clients that hold their share of the workers.
 *
 * Who:    forked by the master.
 * Holds:  connections, and what workers had read from them before they knew
 *         the client; one end of a socket; the shared page of the crowd.
 * May:    wait, pass descriptors on, close them; nothing else.
 * Talks:  hears workers and pools, and believes no number of theirs. It
 *         reads no connection.
 * Ends:   with the master; the master starts another when it dies. Calls that
 *         waited then end with it, and the web server says so.
 *
 * Clients take turns, a client's calls go in the order in which they came.
 * What a client that left has asked for is dropped.
 */
#include "queue.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/walls/landlock.h"
#include "sandbox/base/log.h"
#include "sandbox/base/fdpass.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/walls/syscalls.h"
#include "sandbox/base/title.h"

/* A call that was granted lies in the socket until a worker is armed. */
#define QUEUE_GRANT_MS 30000
#define QUEUE_LOOK_MS 1000
#define QUEUE_EVENTS 32
#define QUEUE_NONE UINT32_MAX
#define QUEUE_SOCKET CLIENT_SHARE_WAITING /* its tag among the calls' */

struct queue_waiting {
	uint64_t key, order; /* which came first */
	int connection, head;
};

struct queue {
	const struct queue_plan *plan;
	struct client_share *shares;
	int poller;
	unsigned count, room;
	uint64_t order;	    /* of the next */
	uint64_t turns;	    /* so many were given */
	struct queue_waiting calls[CLIENT_SHARE_WAITING]; /* key 0: free */
	struct queue_turn {
		uint64_t key, when;
	} served[CLIENT_SHARE_WAITING]; /* when each client last had its turn */
	int64_t granted[CLIENT_SHARE_GRANTS]; /* when; 0: free */
};

/* ---- others ---------------------------------------------------------- */

int queue_open(int *ours, int *workers)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0, ends) < 0)
		return -errno;
	*ours = ends[0];
	*workers = ends[1];
	return 0;
}

int queue_send(int fd, uint64_t key, int connection, int head)
{
	const struct queue_call call = {.key = key};
	const int fds[] = {connection, head};

	return fdpass_send(fd, &call, sizeof(call), fds, ARRAY_LEN(fds),
			   MSG_DONTWAIT);
}

/* As fdpass_receive() says it; a message with other than two is dropped. */
static int queue_receive(int fd, struct queue_call *call, int *connection,
			 int *head)
{
	int fds[2] = {-1, -1};
	size_t count = ARRAY_LEN(fds);
	int rc = fdpass_receive(fd, call, sizeof(*call), fds, &count,
				MSG_DONTWAIT);

	if (rc == 1 && count == 1)
		base_release_fd(&fds[0]);
	*connection = fds[0];
	*head = fds[1];
	return rc;
}

int queue_take(int fd, struct queue_call *call, int *connection, int *head)
{
	int rc = queue_receive(fd, call, connection, head);

	return rc == 1 && *connection < 0 ? 0 : rc;
}

void queue_wake(int fd, const struct client_share *shares)
{
	const struct queue_call call = {.wake = 1};

	/* If it is full the queue has enough to be woken by. */
	if (atomic_load(&shares->waiting) > 0)
		fdpass_send(fd, &call, sizeof(call), NULL, 0, MSG_DONTWAIT);
}

/* ---- calls ----------------------------------------------------------- */

static void queue_forget(struct queue *queue, unsigned at)
{
	struct queue_waiting *call = &queue->calls[at];

	epoll_ctl(queue->poller, EPOLL_CTL_DEL, call->connection, NULL);
	base_release_fd(&call->connection);
	base_release_fd(&call->head);
	call->key = 0;
	atomic_store(&queue->shares->queued[at], 0);
	atomic_store(&queue->shares->waiting, --queue->count);
}

static unsigned queue_free_place(const struct queue *queue)
{
	for (unsigned i = 0; i < queue->room; i++)
		if (queue->calls[i].key == 0)
			return i;
	return QUEUE_NONE;
}

/* Of one client: workers ask before they send, several at one time. */
static unsigned queue_most(const struct queue *queue)
{
	return queue->plan->client_waiting +
	       SCOREBOARD_GENERATIONS * queue->plan->rule.workers;
}

/* Keep what came; its connection tells when the client has left. */
static void queue_keep(struct queue *queue, uint64_t key, int connection,
		       int head)
{
	owned_fd int kept = connection, read = head;
	unsigned at = queue_free_place(queue);
	struct epoll_event event = {.events = EPOLLRDHUP, .data.u32 = at};

	if (key == 0 || at == QUEUE_NONE ||
	    client_share_waits(queue->shares, key) >= queue_most(queue) ||
	    epoll_ctl(queue->poller, EPOLL_CTL_ADD, kept, &event) < 0) {
		log_warn("a call could not be kept waiting: waiting=%u",
			 queue->count);
		return;
	}
	queue->calls[at] = (struct queue_waiting){
		.key = key, .order = queue->order++,
		.connection = take_fd(&kept), .head = take_fd(&read)};
	atomic_store(&queue->shares->queued[at], key);
	atomic_store(&queue->shares->waiting, ++queue->count);
}

static void queue_hear(struct queue *queue)
{
	struct queue_call call;
	int connection, head, rc;

	while ((rc = queue_receive(queue->plan->workers, &call, &connection,
				   &head)) == 1)
		if (connection >= 0)
			queue_keep(queue, call.key, connection, head);
	if (rc < 0)
		die("hear workers: %s", log_errno(rc));
}

/* ---- turns ----------------------------------------------------------- */

static struct queue_turn *queue_turn(struct queue *queue, uint64_t key)
{
	struct queue_turn *oldest = &queue->served[0];

	for (unsigned i = 0; i < CLIENT_SHARE_WAITING; i++) {
		if (queue->served[i].key == key)
			return &queue->served[i];
		if (queue->served[i].when < oldest->when)
			oldest = &queue->served[i];
	}
	*oldest = (struct queue_turn){.key = key};
	return oldest;
}

static unsigned queue_free_grant(struct queue *queue)
{
	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS; i++)
		if (queue->granted[i] == 0)
			return i;
	return QUEUE_NONE;
}

/* A worker has the call then, or has died with it. */
static void queue_end_grants(struct queue *queue)
{
	const int64_t now = io_now_ms();

	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS; i++) {
		if (queue->granted[i] == 0)
			continue;
		if (now - queue->granted[i] >= QUEUE_GRANT_MS)
			atomic_store(&queue->shares->running[i], 0);
		if (atomic_load(&queue->shares->running[i]) == 0)
			queue->granted[i] = 0;
	}
}

static bool queue_has_free(const struct queue *queue)
{
	const unsigned workers = queue->plan->rule.workers;
	const unsigned slots = SCOREBOARD_GENERATIONS * workers;
	unsigned all = 0;

	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS + slots; i++)
		all += atomic_load(&queue->shares->running[i]) != 0;
	return all < workers;
}

/* The call that goes next: the oldest of the client that may go on and had
 * its last turn before the others. */
static unsigned queue_next(struct queue *queue, unsigned grant)
{
	unsigned best = QUEUE_NONE;
	uint64_t best_when = 0;

	for (unsigned i = 0; i < queue->room; i++) {
		const struct queue_waiting *call = &queue->calls[i];

		if (call->key == 0 ||
		    !client_share_admits(queue->shares, &queue->plan->rule,
					 call->key, grant))
			continue;
		uint64_t when = queue_turn(queue, call->key)->when;

		if (best != QUEUE_NONE &&
		    (when > best_when ||
		     (when == best_when &&
		      call->order > queue->calls[best].order)))
			continue;
		best = i;
		best_when = when;
	}
	return best;
}

/* Hand one call back to the workers. False: none may go on, now. */
static bool queue_grant(struct queue *queue)
{
	unsigned grant = queue_free_grant(queue);

	if (queue->count == 0 || grant == QUEUE_NONE || !queue_has_free(queue))
		return false;
	unsigned at = queue_next(queue, grant);

	if (at == QUEUE_NONE)
		return false;
	const struct queue_waiting *call = &queue->calls[at];
	const struct queue_call message = {.key = call->key, .grant = grant};
	const int fds[] = {call->connection, call->head};

	atomic_store(&queue->shares->running[grant], call->key);
	int rc = fdpass_send(queue->plan->workers, &message, sizeof(message),
			     fds, ARRAY_LEN(fds), MSG_DONTWAIT);

	if (rc < 0) {
		atomic_store(&queue->shares->running[grant], 0);
		return false;
	}
	queue->granted[grant] = io_now_ms();
	queue_turn(queue, call->key)->when = ++queue->turns;
	queue_forget(queue, at);
	return true;
}

/* ---- life ------------------------------------------------------------ */

static int queue_drop(const struct queue_plan *plan)
{
	struct syscalls_filter filter;

	int rc = privileges_give_up(plan->uid, plan->master);

	if (rc == 0 && plan->landlock_abi > 0)
		rc = landlock_enforce_worker(plan->landlock_abi, -1);
	if (rc == 0)
		rc = syscalls_compile(SYSCALLS_QUEUE, &filter);
	return rc < 0 ? rc : syscalls_load(&filter);
}

/* Two descriptors for each call. */
static unsigned queue_room(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0 || files.rlim_cur < 64)
		return 1;
	rlim_t room = (files.rlim_cur - 32) / 2;

	return room < CLIENT_SHARE_WAITING ? (unsigned)room
					   : CLIENT_SHARE_WAITING;
}

static void queue_begin(struct queue *queue)
{
	struct epoll_event event = {.events = EPOLLIN,
				    .data.u32 = QUEUE_SOCKET};

	queue->shares = client_share_map(queue->plan->shares);
	queue->poller = epoll_create1(EPOLL_CLOEXEC);
	queue->room = queue_room();
	if (!queue->shares || queue->poller < 0 ||
	    epoll_ctl(queue->poller, EPOLL_CTL_ADD, queue->plan->workers,
		      &event) < 0)
		die("begin the queue: %s", log_errno(errno));
	/* The one before us may have died. */
	for (unsigned i = 0; i < CLIENT_SHARE_WAITING; i++)
		atomic_store(&queue->shares->queued[i], 0);
	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS; i++)
		atomic_store(&queue->shares->running[i], 0);
	atomic_store(&queue->shares->waiting, 0);
	atomic_store(&queue->shares->room, queue->room);
}

/* Is there a call that waits, or one on its way to a worker? */
static bool queue_is_busy(const struct queue *queue)
{
	bool busy = queue->count > 0;

	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS && !busy; i++)
		busy = queue->granted[i] != 0;
	return busy;
}

static void queue_step(struct queue *queue)
{
	struct epoll_event events[QUEUE_EVENTS];
	int n = epoll_wait(queue->poller, events, QUEUE_EVENTS,
			   queue_is_busy(queue) ? QUEUE_LOOK_MS : -1);

	if (n < 0 && errno != EINTR)
		die("wait for workers: %s", log_errno(errno));
	for (int i = 0; i < n; i++)
		if (events[i].data.u32 < CLIENT_SHARE_WAITING &&
		    queue->calls[events[i].data.u32].key != 0)
			queue_forget(queue, events[i].data.u32);
	queue_hear(queue);
	queue_end_grants(queue);
	while (queue_grant(queue))
		;
}

void queue_main(const struct queue_plan *plan)
{
	static struct queue queue;

	log_set_role("queue");
	title_set("queue");
	signal(SIGPIPE, SIG_IGN);
	queue.plan = plan;
	queue_begin(&queue);
	int rc = queue_drop(plan);

	if (rc < 0)
		die("lock the queue: %s", log_errno(rc));
	for (;;)
		queue_step(&queue);
}
