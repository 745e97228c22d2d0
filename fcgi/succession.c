/* succession - see succession.h. */
#include "succession.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "../sandbox/io.h"
#include "generation.h"
#include "notify.h"

#define SUCCESSION_BACKOFF_MS 100 /* after one failure; doubles */
#define SUCCESSION_BACKOFF_MAX_MS 30000
#define SUCCESSION_TELL_MS 5000 /* so often a start is told of */

int succession_read(const char *path, struct bytes *text, struct conf *conf,
		    char error[CONF_ERROR_MAX])
{
	int rc = io_read_file(AT_FDCWD, path, CONF_TEXT_MAX, text);

	if (rc < 0) {
		snprintf(error, CONF_ERROR_MAX, "read %.200s: %s", path,
			 log_errno(rc));
		return rc;
	}
	rc = conf_parse(conf, path, text->data, text->size, error);
	if (rc < 0) {
		conf_free(conf);
		free(text->data);
		*text = (struct bytes){0};
	}
	return rc;
}

void succession_init(struct succession *line, struct scoreboard *board,
		     int board_fd, int listener, int registry, int archive)
{
	line->board = board;
	line->board_fd = board_fd;
	line->listener = listener;
	line->registry = registry;
	line->archive = archive;
	line->current = -1;
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		line->row[i] = (struct succession_generation){
			.leave = -1, .life = -1, .news = -1, .orders = -1};
}

static void succession_retire(struct succession_generation *row)
{
	base_release_fd(&row->leave);
}

/* One that does not stand yet, and never shall. */
static void succession_give_up(struct succession_generation *row)
{
	succession_retire(row);
	kill(-row->group, SIGKILL);
}

/* What was started with the text of before, and does not stand yet, is of
 * no use any more. */
void succession_renew(struct succession *line)
{
	for (size_t i = 0; i < SUCCESSION_ROOM; i++) {
		struct succession_generation *row = &line->row[i];

		if (!row->there || row->zygote == 0 || row->ready ||
		    row->leave < 0)
			continue;
		succession_give_up(row);
	}
	succession_want_new(line);
}

void succession_want_new(struct succession *line)
{
	line->wanted = true;
	line->not_before = 0;
}

/* ---- start ----------------------------------------------------------- */

static int succession_conf_file(const struct succession *line)
{
	owned_fd int fd = memfd_create("configuration", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	int rc = io_write_full(fd, line->text.data, line->text.size);

	return rc < 0 ? rc : take_fd(&fd);
}

static int succession_pipe(int ends[2])
{
	return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0;
}

/* The zygote's ends are closed here in any case; ours are ROW's. */
static int succession_spawn(struct succession *line,
			    struct succession_generation *row)
{
	int leave[2], life[2], news[2], orders[2];
	owned_fd int conf = succession_conf_file(line);

	if (conf < 0)
		return conf;
	if (succession_pipe(leave) < 0)
		return -EMFILE;
	owned_fd int leave_out = leave[1], leave_in = leave[0];

	if (succession_pipe(life) < 0)
		return -EMFILE;
	owned_fd int life_in = life[0], life_out = life[1];

	if (succession_pipe(news) < 0)
		return -EMFILE;
	owned_fd int news_in = news[0], news_out = news[1];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, orders) < 0)
		return -EMFILE;
	owned_fd int orders_ours = orders[0], orders_theirs = orders[1];
	const int fds[] = {conf,	   line->listener, leave_in,
			   life_out,	   news_out,	   line->board_fd,
			   line->registry, orders_theirs,  line->archive};
	int rc = io_set_nonblocking(news_in, true);
	pid_t pid = rc < 0 ? rc : generation_spawn(fds);

	if (pid < 0)
		return pid;
	*row = (struct succession_generation){
		.there = true, .zygote = pid, .group = pid,
		.leave = take_fd(&leave_out), .life = take_fd(&life_in),
		.news = take_fd(&news_in),
		.orders = take_fd(&orders_ours),
		.began_ms = io_now_ms(), .told_ms = io_now_ms()};
	return 0;
}

static void succession_delay(struct succession *line)
{
	int64_t wait = SUCCESSION_BACKOFF_MS;

	for (unsigned i = 0;
	     i < line->failures && wait < SUCCESSION_BACKOFF_MAX_MS; i++)
		wait *= 2;
	line->failures++;
	line->not_before = io_now_ms() + wait;
}

static void succession_start(struct succession *line, int index)
{
	struct scoreboard *board = line->board;

	atomic_store(&board->first_slot,
		     (unsigned)index * line->board->workers);
	atomic_fetch_add(&board->generation, 1);
	stage_begin(&board->stage);
	int rc = succession_spawn(line, &line->row[index]);

	if (rc < 0) {
		log_error("start a zygote: %s", log_errno(rc));
		succession_delay(line);
		return;
	}
	line->wanted = false;
	atomic_store(&board->zygote, line->row[index].zygote);
}

static struct succession_generation *succession_starting(
	struct succession *line)
{
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		if (line->row[i].there && line->row[i].zygote > 0 &&
		    !line->row[i].ready && line->row[i].leave >= 0)
			return &line->row[i];
	return NULL;
}

static void succession_stalled(struct succession *line,
			       struct succession_generation *row)
{
	log_error("the start stands still: step=\"%s\" stall_s=%d; it is "
		  "given up", stage_words(&line->board->stage),
		  line->stall_ms / 1000);
	succession_give_up(row);
	line->hopeless = !line->ever_ready;
	line->wanted = true;
	succession_delay(line);
}

/* Nothing but the start itself knows how long it takes on this machine. One
 * that cannot arm a guest has said why, and is not a start any more; the
 * board's state may still be that of the start before. */
static void succession_watch(struct succession *line)
{
	struct succession_generation *row = succession_starting(line);
	const struct stage *stage = &line->board->stage;
	int64_t now = io_now_ms();

	if (!row || (atomic_load(&stage->step) == STAGE_ARM &&
		     atomic_load(&line->board->state) == SCOREBOARD_STOPPED))
		return;
	if (now - row->told_ms >= SUCCESSION_TELL_MS) {
		row->told_ms = now;
		log_info("starting: step=\"%s\" elapsed_s=%lld",
			 stage_words(stage),
			 (long long)(now - row->began_ms) / 1000);
		/* A service manager has a bound of its own (sd_notify(3)). */
		notify_send("EXTEND_TIMEOUT_USEC=30000000");
	}
	if (stall_stands(&row->stall, stage_moved(stage, row->zygote), now,
			 line->stall_ms))
		succession_stalled(line, row);
}

void succession_keep(struct succession *line)
{
	succession_watch(line);
	if (!line->wanted || io_now_ms() < line->not_before ||
	    succession_starting(line))
		return;
	for (int i = 0; i < SUCCESSION_ROOM; i++)
		if (!line->row[i].there) {
			succession_start(line, i);
			return;
		}
	/* No room: somebody of the generation before the last still runs. */
}

/* ---- news ------------------------------------------------------------ */

static void succession_ready(struct succession *line, int index)
{
	line->row[index].ready = true;
	line->current = index;
	line->failures = 0;
	line->ever_ready = true;
	log_info("generation %u stands armed",
		 atomic_load(&line->board->generation));
	for (int i = 0; i < SUCCESSION_ROOM; i++)
		if (i != index)
			succession_retire(&line->row[i]);
}

/* A new generation that cannot serve leaves the field to the old one. */
static void succession_reject(struct succession *line, int index)
{
	struct succession_generation *row = &line->row[index];

	if (row->ready || row->leave < 0)
		return;
	log_error("the new generation cannot arm a guest; the present one "
		  "goes on");
	succession_give_up(row);
	line->wanted = true;
	succession_delay(line);
}

static void succession_read_news(struct succession *line, int index)
{
	char byte;

	while (line->row[index].news >= 0 &&
	       read(line->row[index].news, &byte, 1) == 1) {
		if (byte == GENERATION_READY)
			succession_ready(line, index);
		else if (byte == GENERATION_OLD && index == line->current)
			succession_want_new(line);
		else if (byte == GENERATION_UNFIT)
			succession_reject(line, index);
	}
}

/* All of it is gone: its slots are free for a new one. */
static void succession_forget(struct succession *line, int index)
{
	struct succession_generation *row = &line->row[index];
	unsigned first = (unsigned)index * line->board->workers;

	for (unsigned i = 0; i < line->board->workers; i++) {
		atomic_store(&line->board->slots[first + i].pid, 0);
		atomic_store(&line->board->slots[first + i].guest, 0);
		atomic_store(&line->board->slots[first + i].state, SLOT_FREE);
	}
	succession_retire(row);
	base_release_fd(&row->life);
	base_release_fd(&row->news);
	base_release_fd(&row->orders);
	row->there = false;
}

static bool succession_hung_up(int fd)
{
	struct pollfd polled = {.fd = fd};

	return poll(&polled, 1, 0) > 0 && (polled.revents & POLLHUP);
}

size_t succession_poll(const struct succession *line, struct pollfd *polled)
{
	size_t count = 0;

	for (size_t i = 0; i < SUCCESSION_ROOM; i++) {
		if (!line->row[i].there)
			continue;
		if (line->row[i].zygote > 0) /* else it is only a hang-up */
			polled[count++] = (struct pollfd){
				.fd = line->row[i].news, .events = POLLIN};
		polled[count++] = (struct pollfd){.fd = line->row[i].life};
	}
	return count;
}

void succession_hear(struct succession *line)
{
	for (int i = 0; i < SUCCESSION_ROOM; i++) {
		if (!line->row[i].there)
			continue;
		succession_read_news(line, i);
		if (line->row[i].zygote == 0 &&
		    succession_hung_up(line->row[i].life))
			succession_forget(line, i);
	}
}

/* ---- deaths ---------------------------------------------------------- */

/* A worker whose zygote is dead was ours to bury. */
static void succession_buried_worker(struct succession *line, pid_t pid)
{
	for (size_t i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		if (atomic_load(&line->board->slots[i].pid) == pid) {
			atomic_store(&line->board->slots[i].pid, 0);
			atomic_store(&line->board->slots[i].guest, 0);
			atomic_store(&line->board->slots[i].state, SLOT_FREE);
		}
}

static void succession_zygote_died(struct succession *line, int index,
				   int status)
{
	struct succession_generation *row = &line->row[index];
	bool expected = row->leave < 0; /* it was told to leave */

	succession_read_news(line, index);
	row->zygote = 0;
	if (!row->ready) /* it would keep the room of the next try */
		succession_retire(row);
	if (expected)
		return;
	if (WIFSIGNALED(status))
		log_error("a zygote was killed by signal %d; its workers go "
			  "on until the next generation stands",
			  WTERMSIG(status));
	else
		log_error("a zygote has ended with status %d",
			  WEXITSTATUS(status));
	if (index == line->current)
		line->current = -1;
	line->wanted = true;
	line->hopeless = !line->ever_ready && WIFEXITED(status);
	if (row->ready)
		line->not_before = 0;
	else
		succession_delay(line);
}

void succession_buried(struct succession *line, pid_t pid, int status)
{
	for (int i = 0; i < SUCCESSION_ROOM; i++)
		if (line->row[i].there && line->row[i].zygote == pid) {
			succession_zygote_died(line, i, status);
			return;
		}
	succession_buried_worker(line, pid);
}

/* ---- the end --------------------------------------------------------- */

void succession_retire_all(struct succession *line)
{
	line->wanted = false;
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		succession_retire(&line->row[i]);
}

void succession_kill(struct succession *line)
{
	succession_retire_all(line);
	/* The group's number is not used again while one of it lives. */
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		if (line->row[i].there &&
		    !succession_hung_up(line->row[i].life))
			kill(-line->row[i].group, SIGKILL);
}

bool succession_serving(const struct succession *line)
{
	return line->current >= 0;
}

int succession_orders(const struct succession *line)
{
	return line->current < 0 ? -1 : line->row[line->current].orders;
}

bool succession_gone(const struct succession *line)
{
	for (size_t i = 0; i < SUCCESSION_ROOM; i++)
		if (line->row[i].there)
			return false;
	return true;
}

void succession_close_in_child(struct succession *line)
{
	for (size_t i = 0; i < SUCCESSION_ROOM; i++) {
		base_release_fd(&line->row[i].leave);
		base_release_fd(&line->row[i].life);
		base_release_fd(&line->row[i].news);
		base_release_fd(&line->row[i].orders);
	}
}
