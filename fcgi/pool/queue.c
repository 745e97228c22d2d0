/*
 * queue - the process that keeps the calls of clients that already hold their
 * share of the workers.
 *
 * Who:    forked by the master.
 * Holds:  connections, and the bytes that workers had read from them before
 *         they knew the client; one end of a socket; the page of client shares.
 * May:    wait, pass descriptors on, and close them; nothing else.
 * Talks:  It receives calls from workers, and wake-ups from pools. It checks
 *         every number in them. It reads from no connection.
 * Ends:   It ends with the master, or when told to leave (leave.h) and no call
 *         waits. When it dies, the master starts another one. The calls that waited in it are lost, and the web server reports that
 *         to their clients.
 *
 * Clients are served in turn. The calls of one client keep their order. A call
 * is dropped when its client hangs up.
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
#include "fcgi/shared/leave.h"

/* A granted call lies in the socket until a worker is armed. */
#define QUEUE_GRANT_MS 30000
#define QUEUE_CHECK_MS 1000
#define QUEUE_EVENTS 32
#define QUEUE_NONE UINT32_MAX
/* Their epoll tags; lower tags are calls. */
#define QUEUE_SOCKET CLIENT_SHARE_WAITING
#define QUEUE_LEAVE (QUEUE_SOCKET + 1)

struct queue_waiting {
	uint64_t key, order; /* ORDER: sequence number of its arrival */
	int connection, head;
};

struct queue {
	const struct queue_plan *plan;
	struct client_share *shares;
	int poller;
	int leave; /* readable once the queue shall leave; -1: it has been */
	unsigned count, room;
	uint64_t order; /* of the next call */
	uint64_t served_total; /* calls that were granted so far */
	struct queue_waiting calls[CLIENT_SHARE_WAITING]; /* key 0: free */
	struct queue_served {
		uint64_t key, when;
		/* WHEN: value of served_total at a client's last grant */
	} served[CLIENT_SHARE_WAITING];
	int64_t granted[CLIENT_SHARE_GRANTS]; /* time of the grant; 0: free */
};

/* ---- master, workers and pools --------------------------------------- */

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

/* Returns as fdpass_receive(). A message without exactly two descriptors is no
 * call. */
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

	/* A full socket wakes the queue anyway, so a failed send is ignored. */
	if (atomic_load(&shares->waiting) > 0)
		fdpass_send(fd, &call, sizeof(call), NULL, 0, MSG_DONTWAIT);
}

/* ---- calls ----------------------------------------------------------- */

static void queue_remove(struct queue *queue, unsigned at)
{
	struct queue_waiting *call = &queue->calls[at];

	epoll_ctl(queue->poller, EPOLL_CTL_DEL, call->connection, NULL);
	base_release_fd(&call->connection);
	base_release_fd(&call->head);
	call->key = 0;
	atomic_store(&queue->shares->queued[at], 0);
	atomic_store(&queue->shares->waiting, --queue->count);
}

static unsigned queue_free_entry(const struct queue *queue)
{
	for (unsigned i = 0; i < queue->room; i++)
		if (queue->calls[i].key == 0)
			return i;
	return QUEUE_NONE;
}

/* The most calls of one client. Workers check client_waiting before they send,
 * but several may send at the same time. */
static unsigned queue_client_max(const struct queue *queue)
{
	return queue->plan->client_waiting +
	       SCOREBOARD_GENERATIONS * queue->plan->rule.workers;
}

/* Keep a call. An event on its connection tells when the client hangs up. */
static void queue_keep(struct queue *queue, uint64_t key, int connection,
		       int head)
{
	owned_fd int kept = connection, read = head;
	unsigned at = queue_free_entry(queue);
	struct epoll_event event = {.events = EPOLLRDHUP, .data.u32 = at};

	if (key == 0 || at == QUEUE_NONE ||
	    client_share_waits(queue->shares, key) >= queue_client_max(queue) ||
	    epoll_ctl(queue->poller, EPOLL_CTL_ADD, kept, &event) < 0) {
		log_warn("call dropped: the queue is full: waiting=%u",
			 queue->count);
		return;
	}
	queue->calls[at] = (struct queue_waiting){
		.key = key, .order = queue->order++,
		.connection = take_fd(&kept), .head = take_fd(&read)};
	atomic_store(&queue->shares->queued[at], key);
	atomic_store(&queue->shares->waiting, ++queue->count);
}

static void queue_receive_all(struct queue *queue)
{
	struct queue_call call;
	int connection, head, rc;

	while ((rc = queue_receive(queue->plan->workers, &call, &connection,
				   &head)) == 1)
		if (connection >= 0)
			queue_keep(queue, call.key, connection, head);
	if (rc < 0)
		die("receive from workers: %s", log_errno(rc));
}

/* ---- grants ---------------------------------------------------------- */

static struct queue_served *queue_served(struct queue *queue, uint64_t key)
{
	struct queue_served *oldest = &queue->served[0];

	for (unsigned i = 0; i < CLIENT_SHARE_WAITING; i++) {
		if (queue->served[i].key == key)
			return &queue->served[i];
		if (queue->served[i].when < oldest->when)
			oldest = &queue->served[i];
	}
	*oldest = (struct queue_served){.key = key};
	return oldest;
}

static unsigned queue_free_grant(struct queue *queue)
{
	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS; i++)
		if (queue->granted[i] == 0)
			return i;
	return QUEUE_NONE;
}

/* End a grant once a worker has the call, or has died with it. */
static void queue_expire_grants(struct queue *queue)
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

static bool queue_has_free_worker(const struct queue *queue)
{
	const unsigned workers = queue->plan->rule.workers;
	const unsigned slots = SCOREBOARD_GENERATIONS * workers;
	unsigned all = 0;

	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS + slots; i++)
		all += atomic_load(&queue->shares->running[i]) != 0;
	return all < workers;
}

/* The next call: the oldest one of the client that was served longest ago,
 * among the clients that may have a worker. */
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
		uint64_t when = queue_served(queue, call->key)->when;

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

/* Hand one call back to the workers. False: none may go on now. */
static bool queue_grant(struct queue *queue)
{
	unsigned grant = queue_free_grant(queue);

	if (queue->count == 0 || grant == QUEUE_NONE ||
	    !queue_has_free_worker(queue))
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
	queue_served(queue, call->key)->when = ++queue->served_total;
	queue_remove(queue, at);
	return true;
}

/* ---- life ------------------------------------------------------------ */

static int queue_lock(const struct queue_plan *plan)
{
	struct syscalls_filter filter;

	int rc = privileges_give_up(plan->uid, plan->master);

	if (rc == 0 && plan->landlock_abi > 0)
		rc = landlock_enforce_worker(plan->landlock_abi, -1);
	if (rc == 0)
		rc = syscalls_compile(SYSCALLS_QUEUE, &filter);
	return rc < 0 ? rc : syscalls_load(&filter);
}

/* Each call takes two descriptors. */
static unsigned queue_room(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0 || files.rlim_cur < 64)
		return 1;
	rlim_t room = (files.rlim_cur - 32) / 2;

	return room < CLIENT_SHARE_WAITING ? (unsigned)room
					   : CLIENT_SHARE_WAITING;
}

static void queue_init(struct queue *queue)
{
	struct epoll_event event = {.events = EPOLLIN,
				    .data.u32 = QUEUE_SOCKET};
	struct epoll_event leave = {.events = EPOLLIN,
				    .data.u32 = QUEUE_LEAVE};

	queue->shares = client_share_map(queue->plan->shares);
	queue->poller = epoll_create1(EPOLL_CLOEXEC);
	queue->room = queue_room();
	queue->leave = leave_open();
	if (!queue->shares || queue->poller < 0 || queue->leave < 0 ||
	    epoll_ctl(queue->poller, EPOLL_CTL_ADD, queue->plan->workers,
		      &event) < 0 ||
	    epoll_ctl(queue->poller, EPOLL_CTL_ADD, queue->leave, &leave) < 0)
		die("start the queue: %s", log_errno(errno));
	/* An earlier queue process may have died and left its entries. */
	for (unsigned i = 0; i < CLIENT_SHARE_WAITING; i++)
		atomic_store(&queue->shares->queued[i], 0);
	for (unsigned i = 0; i < CLIENT_SHARE_GRANTS; i++)
		atomic_store(&queue->shares->running[i], 0);
	atomic_store(&queue->shares->waiting, 0);
	atomic_store(&queue->shares->room, queue->room);
}

/* Does a call wait, or is one on its way to a worker? */
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
			   queue_is_busy(queue) ? QUEUE_CHECK_MS : -1);

	if (n < 0 && errno != EINTR)
		die("wait for workers: %s", log_errno(errno));
	for (int i = 0; i < n; i++)
		if (events[i].data.u32 == QUEUE_LEAVE)
			base_release_fd(&queue->leave);
		else if (events[i].data.u32 < CLIENT_SHARE_WAITING &&
			 queue->calls[events[i].data.u32].key != 0)
			queue_remove(queue, events[i].data.u32);
	queue_receive_all(queue);
	queue_expire_grants(queue);
	while (queue_grant(queue))
		;
	/* Calls that come from now on lie in the socket for the next queue. */
	if (queue->leave < 0 && !queue_is_busy(queue))
		exit(0);
}

void queue_main(const struct queue_plan *plan)
{
	static struct queue queue;

	log_set_role("queue");
	title_set("queue");
	signal(SIGPIPE, SIG_IGN);
	queue.plan = plan;
	queue_init(&queue);
	int rc = queue_lock(plan);

	if (rc < 0)
		die("lock the queue: %s", log_errno(rc));
	for (;;)
		queue_step(&queue);
}
