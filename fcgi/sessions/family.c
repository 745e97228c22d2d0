/* family - see family.h. */
#include "family.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/pidfd.h"

void family_clear(struct family *family)
{
	base_release_fd(&family->control);
	base_release_fd(&family->pidfd);
	free(family->note);
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		free(family->members[i].note);
	*family = (struct family){.control = -1, .pidfd = -1};
}

void family_name(struct family_member *member, const char *id)
{
	member->there = true;
	member->lost = member->beginning = false;
	base_release_ptr(&member->note);
	member->used_ms = member->began_ms = io_now_ms();
	member->calls = member->cpu_ms = member->memory_peak_kb = 0;
	snprintf(member->id, sizeof(member->id), "%s", id);
}

/* The name stays for the registry, which remembers why sessions ended. */
static void family_lose(struct family_member *member)
{
	member->lost |= member->there;
	member->there = false;
}

void family_lose_all(struct family *family)
{
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		family_lose(&family->members[i]);
}

bool family_is_headless(const struct family *family)
{
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		if (family->members[i].there &&
		    !strchr(family->members[i].id, '/'))
			return false;
	return family->note != NULL && family->control >= 0;
}

int64_t family_used_ms(const struct family *family)
{
	int64_t used = 0;

	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		if (family->members[i].used_ms > used)
			used = family->members[i].used_ms;
	return used;
}

unsigned family_pending(const struct family *family)
{
	unsigned pending = 0;

	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		pending += family->members[i].pending;
	return pending;
}

unsigned family_ending(const struct family *family)
{
	unsigned there = 0, gone = 0;

	if (family->control < 0)
		return 0;
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++) {
		there += family->members[i].there;
		gone += !family->members[i].there &&
			family->members[i].pending > 0;
	}
	return there + gone > 0 ? gone : 1;
}

int family_free_member(const struct family *family, unsigned most)
{
	for (unsigned i = 0; i < most; i++)
		if (!family->members[i].there &&
		    family->members[i].pending == 0)
			return (int)i;
	return -1;
}

/* ---- to the session keeper ------------------------------------------- */

int family_send(struct family *family, enum session_order_kind kind,
		unsigned member, unsigned other, int channel)
{
	const struct session_order_task task = {
		.kind = kind, .member = member, .other = other};
	const bool idle = family_pending(family) == 0;
	int rc = session_order_send(family->control, &task, sizeof(task),
				    channel);

	if (rc == 0 && idle)
		family->since_ms = io_now_ms();
	family->members[member].pending += rc == 0;
	return rc;
}

void family_release(struct family *family, unsigned member)
{
	if (family_send(family, SESSION_ORDER_RELEASE, member, 0, -1) < 0)
		family_kill(family); /* it does not read its socket */
	else if (family->released_ms == 0)
		family->released_ms = io_now_ms();
	family->members[member].there = false;
}

void family_release_all(struct family *family)
{
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		if (family->members[i].there)
			family_release(family, i);
}

/* A session keeper that has not reported yet has no client's data, and ends
 * with its socket. */
void family_kill(struct family *family)
{
	if (family->pidfd < 0) {
		shutdown(family->control, SHUT_WR);
		return;
	}
	pidfd_signal(family->pidfd, SIGKILL);
	family->killed = true;
	family_lose_all(family);
}

/* ---- from the session keeper ----------------------------------------- */

static void family_hello(struct family *family,
			 const struct session_order_news *news)
{
	if (family->pidfd >= 0)
		return;
	family->keeper = news->pid;
	family->pidfd = pidfd_of(news->pid);
}

static void family_done(struct family *family,
			const struct session_order_news *news)
{
	struct family_member *member = &family->members[news->member];

	if (member->pending > 0)
		member->pending--;
	if (!member->there && member->pending == 0)
		family->released_ms = 0;
	member->used_ms = io_now_ms();
	member->calls += news->ran;
	member->cpu_ms += news->cpu_ms;
	if (news->memory_peak_kb > member->memory_peak_kb)
		member->memory_peak_kb = news->memory_peak_kb;
}

static void family_gone(struct family *family,
			const struct session_order_news *news)
{
	family_lose(&family->members[news->member]);
}

static void (*const family_reports[SESSION_ORDER_NEWS_KINDS])(
	struct family *, const struct session_order_news *) = {
	[SESSION_ORDER_HELLO] = family_hello,
	[SESSION_ORDER_DONE] = family_done,
	[SESSION_ORDER_GONE] = family_gone,
};

int family_receive(struct family *family, struct session_order_news *news)
{
	int rc = session_order_receive(family->control, news, sizeof(*news),
				       NULL);

	if (rc <= 0)
		return rc;
	family->since_ms = io_now_ms();
	if (news->kind >= SESSION_ORDER_NEWS_KINDS ||
	    news->member >= SESSION_MEMBERS_MAX)
		return 0;
	family_reports[news->kind](family, news);
	return 1;
}

static bool family_is_dead(const struct family *family)
{
	return family->pidfd < 0 || pidfd_wait(family->pidfd, 0);
}

/* The session keeper is dead or about to be. While it lives its slot is taken,
 * and its guest may live, too. */
void family_hung_up(struct family *family)
{
	if (family_is_dead(family))
		family_clear(family);
	else if (!family->killed)
		family_kill(family);
}

/* ---- time ------------------------------------------------------------ */

/* Until its first report the session keeper is starting. Afterwards the calls
 * of all members wait for each other. */
enum session_order_wait family_wait(const struct family *family)
{
	if (family->pidfd < 0)
		return SESSION_ORDER_WAIT_START;
	return family_pending(family) > 0 ? SESSION_ORDER_WAIT_TURN
					  : SESSION_ORDER_WAIT_NOTHING;
}

/* Are releases all that is pending? */
static bool family_only_releases(const struct family *family)
{
	unsigned released = 0;

	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		released += !family->members[i].there &&
			    family->members[i].pending == 1;
	return family_pending(family) == released;
}

bool family_is_stuck(const struct family *family, int64_t call_ms, int64_t now)
{
	if (family_pending(family) == 0 || call_ms == 0 || family->killed)
		return false;
	const bool releases = family_only_releases(family);
	const int64_t allowed = family->released_ms > 0 && releases
					? FAMILY_RELEASE_MS
					: call_ms;
	const int64_t since = family->released_ms > family->since_ms && releases
				      ? family->released_ms
				      : family->since_ms;

	return now - since > allowed;
}
