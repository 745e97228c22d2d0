/*
 * scout - see scout.h.
 *
 * It notes each block of memory that Python asks for. Then children run a
 * program each on pages that must not be written: each write is a signal,
 * which tells the block, and lets the page be written until two others have
 * been. So not each write is seen, but nearly each block that is written more
 * than once.
 */
#include "write_tracer.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "malloc_settle.h"
#include "block_map.h"
#include "sandbox/base/log.h"
#include "sandbox/base/anon_pages.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/python/interpreter.h"
#include "sandbox/base/stage.h"
#include "sandbox/base/stall.h"
#include "sandbox/base/title.h"
#include "prefault.h"

#define SCOUT_STALL_MS 60000 /* a program may stand still */
#define SCOUT_OPEN 2	 /* pages that may be written at a time: one write can
			  * be to two */
#define SCOUT_PATIENCE 20 /* writes to a page, one behind the other, that tell
			   * nothing new; then it is let alone */

/* What programs do with the libraries that most of them use. The first is for
 * all of them. */
static const struct scout_lesson {
	const char *module; /* only if it was imported; NULL: always */
	const char *code;
} scout_lessons[] = {
	{NULL, WARM_PROGRAM},
	{"numpy",
	 "import numpy as np\n"
	 "a = np.arange(12.0).reshape(3, 4)\n"
	 "r = np.random.default_rng(1).normal(size=(50, 50))\n"
	 "print((r @ r.T).sum(), np.linalg.inv(r).max(), a.mean(axis=0))\n"
	 "print(np.sort(r, axis=1)[0, 0], r[r > 0].std())\n"
	 "print(a, np.linspace(0, 1, 5), np.where(a > 3, a, 0))\n"},
	{"pandas",
	 "import io\nimport pandas as pd\nimport numpy as np\n"
	 "d = pd.DataFrame({'a': ['x', 'y', 'x'], 'b': [1, 2, 3],\n"
	 "                  'c': np.arange(3.0)})\n"
	 "print(d.groupby('a').agg({'b': 'sum', 'c': 'mean'}))\n"
	 "print(d.sort_values('c'), d.describe(), d['a'].value_counts())\n"
	 "print(d.groupby('a')['b'].sum())\n"
	 "e = pd.read_csv(io.StringIO('a,z\\nx,1\\ny,2\\n'))\n"
	 "print(d.merge(e, on='a').to_string())\n"},
	{"matplotlib.pyplot",
	 "import io\nimport matplotlib.pyplot as plt\n"
	 "f, (p, q) = plt.subplots(1, 2)\n"
	 "p.plot([1, 2, 3], label='a')\n"
	 "p.set_title('t')\np.set_xlabel('x')\np.legend()\n"
	 "q.bar([1, 2], [3, 4])\nq.hist([1, 2, 2])\nq.scatter([1, 2], [2, 1])\n"
	 "for kind in ('png', 'svg'):\n"
	 "    f.savefig(io.BytesIO(), format=kind)\n"
	 "plt.close(f)\n"},
};

/* By their places in the ledger. */
struct scout_pages {
	bool watched[LEDGER_PAGES];  /* it must not be written */
	uint8_t stale[LEDGER_PAGES]; /* writes in a row that told nothing */
};

static struct scout {
	pid_t pid; /* its own: whom the lessons end with */
	struct ledger *ledger; /* by places in LIST */
	struct hot_list *list; /* shared by all, as nothing else is */
	uint8_t rank;	 /* of the lesson that is on */
	struct scout_pages *pages;
	uintptr_t open[SCOUT_OPEN]; /* pages that may be written; or 0 */
	unsigned turn;		    /* the one of them to be closed next */
} scout;

/* ---- what is asked for ----------------------------------------------- */

static void scout_given(void *context, const struct python_block *asked,
			const void *at)
{
	uint32_t place = hot_list_add(scout.list, asked);

	(void)context;
	if (place > 0)
		ledger_note(scout.ledger, at, place);
}

static void scout_freed(void *context, const void *at)
{
	(void)context;
	ledger_forget(scout.ledger, at);
}

/* ---- what is written ------------------------------------------------- */

/* Returns whether that is news. The lowest rank of all lessons, which are on
 * at the same time, is what stays. */
static bool scout_mark(uintptr_t at)
{
	size_t offset = 0;
	uint32_t place = ledger_find(scout.ledger, at, &offset);

	if (place == 0 || offset >= scout.list->sizes[place])
		return false;
	uint8_t *rank = &scout.list->ranks[place], was = *rank;

	while (was == 0 || was > scout.rank)
		if (__atomic_compare_exchange_n(rank, &was, scout.rank, false,
						__ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
	return false;
}

static int scout_protect(uintptr_t page, int protection)
{
	return mprotect((void *)page, LEDGER_PAGE, protection);
}

/* Let PAGE be written, and who was let for longest no more. */
static void scout_let(uintptr_t page)
{
	uintptr_t last = scout.open[scout.turn];

	scout.open[scout.turn] = page;
	scout.turn = (scout.turn + 1) % SCOUT_OPEN;
	if (last && scout.pages->watched[ledger_place(scout.ledger, last)])
		scout_protect(last, PROT_READ);
}

/* SIGSEGV: a write to a page that must not be written; or a real one, which
 * comes again when the handler has returned. */
static void scout_see(int number, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	uintptr_t page = at - at % LEDGER_PAGE;
	int place = ledger_place(scout.ledger, at), kept = errno;

	(void)context;
	if (place < 0 || !scout.pages->watched[place]) {
		signal(number, SIG_DFL);
		return;
	}
	if (scout_mark(at))
		scout.pages->stale[place] = 0;
	else if (++scout.pages->stale[place] == SCOUT_PATIENCE)
		scout.pages->watched[place] = false;
	if (scout_protect(page, PROT_READ | PROT_WRITE) < 0)
		_exit(1);
	if (scout.pages->watched[place])
		scout_let(page);
	errno = kept;
}

static int scout_watch(void)
{
	const struct sigaction act = {.sa_sigaction = scout_see,
				      .sa_flags = SA_SIGINFO};

	if (sigaction(SIGSEGV, &act, NULL) < 0)
		return -errno;
	uintptr_t page;

	for (int place = 0; (page = ledger_page(scout.ledger, place)) != 0;
	     place++)
		scout.pages->watched[place] =
			ledger_used(scout.ledger, place) &&
			scout_protect(page, PROT_READ) == 0;
	return 0;
}

/* ---- lessons --------------------------------------------------------- */

/* As a guest, but that its job is here: what the kernel writes to a page that
 * must not be written it refuses. */
static void scout_follow(const struct scout_lesson *lesson,
			 const struct limits *limits) NORETURN;

static void scout_follow(const struct scout_lesson *lesson,
			 const struct limits *limits)
{
	owned_free char *code = strdup(lesson->code);
	const struct job job = {.code = {code, strlen(lesson->code)}};
	const struct bytes env = {0};
	int rc = code ? privileges_die_with(scout.pid) : -ENOMEM;

	if (rc == 0)
		rc = warm_pipes(NULL);
	if (rc == 0)
		rc = scout_watch();
	if (rc == 0)
		rc = python_after_fork();
	_exit(rc < 0 || python_run(&job, &env, limits) != 0);
}

static pid_t scout_give(size_t lesson, const struct limits *limits)
{
	const char *module = scout_lessons[lesson].module;

	if (module && !python_has(module))
		return 0;
	scout.rank = (uint8_t)(lesson + 1);
	pid_t child = fork();

	if (child == 0)
		scout_follow(&scout_lessons[lesson], limits);
	stage_join(child);
	return child < 0 ? -errno : child;
}

static int scout_hear(pid_t child)
{
	owned_fd int pidfd = child < 0 ? -1 : (int)syscall(SYS_pidfd_open,
							   child, 0);

	if (child < 0)
		return child;
	if (pidfd < 0 || stall_wait(pidfd, child, SCOUT_STALL_MS) <= 0)
		kill(child, SIGKILL);
	return warm_wait(child);
}

/* Who does not come to its end has told what it could. */
static void scout_teach(const struct limits *limits)
{
	pid_t children[ARRAY_LEN(scout_lessons)];

	stage_enter(STAGE_TRACER_PROGRAMS);
	for (size_t i = 0; i < ARRAY_LEN(scout_lessons); i++)
		children[i] = scout_give(i, limits);
	for (size_t i = 0; i < ARRAY_LEN(scout_lessons); i++)
		if (children[i] != 0 &&
		    scout_hear(children[i]) < 0)
			log_warn("a scout's program for %s failed",
				 scout_lessons[i].module
					 ? scout_lessons[i].module : "all");
}

/* ---- its life -------------------------------------------------------- */

static int scout_open(struct hot_list *list, pid_t parent)
{
	log_set_role("scout");
	title_set("scout");
	scout.pid = getpid();
	scout.list = list;
	scout.pages = pages_open(sizeof(*scout.pages), false);
	if (!scout.pages)
		return -errno;
	int rc = privileges_die_with(parent);

	if (rc == 0)
		rc = ledger_open(&scout.ledger);
	/* What the preload forks while it is imported is not ours. */
	return rc < 0 ? rc
		      : -pthread_atfork(NULL, NULL, python_memory_leave);
}

static int scout_main(int (*boot)(void *context), void *context,
		      const struct limits *limits, struct hot_list *list,
		      pid_t parent)
{
	static const struct python_memory_user user = {
		.given = scout_given, .freed = scout_freed};
	size_t taken;
	int rc = scout_open(list, parent);

	if (rc < 0)
		return rc;
	python_memory_use(&user);
	rc = boot(context);
	python_memory_leave();
	if (rc < 0)
		return rc;
	python_before_forks();
	heap_settle();
	heap_reserve(&taken);
	scout_teach(limits);
	return 0;
}

int scout_learn(int (*boot)(void *context), void *context,
		const struct limits *limits, struct hot_list *list)
{
	if (getpagesize() != LEDGER_PAGE)
		return -ENOTSUP;
	fflush(NULL); /* or it would be printed twice */
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		_exit(-scout_main(boot, context, limits, list, parent));
	stage_join(child);
	return child < 0 ? -errno : warm_wait(child);
}
