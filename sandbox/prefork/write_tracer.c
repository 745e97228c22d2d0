/*
 * write_tracer - see write_tracer.h.
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

#include "heap.h"
#include "block_map.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"
#include "sandbox/base/anon_pages.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/python/interpreter.h"
#include "sandbox/base/stage.h"
#include "sandbox/base/stall.h"
#include "sandbox/base/title.h"
#include "prefault.h"

#define WRITE_TRACER_STALL_MS 60000 /* a program may stand still */
#define WRITE_TRACER_OPEN \
	2 /* pages that may be written at a time: one write can \
	   * be to two */
#define WRITE_TRACER_PATIENCE \
	20 /* writes to a page, one behind the other, that tell \
	    * nothing new; then it is let alone */

/* What programs do with the libraries that most of them use. The first is for
 * all of them. */
static const struct write_tracer_lesson {
	const char *module; /* only if it was imported; NULL: always */
	const char *code;
} write_tracer_lessons[] = {
	{NULL, PREFAULT_PROGRAM},
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
struct write_tracer_pages {
	bool watched[BLOCK_MAP_PAGES]; /* it must not be written */
	uint8_t stale[BLOCK_MAP_PAGES]; /* writes in a row that told nothing */
};

static struct write_tracer {
	pid_t pid; /* its own: whom the lessons end with */
	struct block_map *map; /* by places in LIST */
	struct block_layout_list *list; /* shared by all, as nothing else is */
	uint8_t rank;	 /* of the lesson that is on */
	struct write_tracer_pages *pages;
	uintptr_t open[WRITE_TRACER_OPEN]; /* pages that may be written; or 0 */
	unsigned accept_queue; /* the one of them to be closed next */
} tracer;

/* ---- what is asked for ----------------------------------------------- */

static void write_tracer_given(void *context, const struct python_block *asked,
			       const void *at)
{
	uint32_t place = block_layout_list_add(tracer.list, asked);

	(void)context;
	if (place > 0)
		block_map_note(tracer.map, at, place);
}

static void write_tracer_freed(void *context, const void *at)
{
	(void)context;
	block_map_forget(tracer.map, at);
}

/* ---- what is written ------------------------------------------------- */

/* Returns whether that is news. The lowest rank of all lessons, which are on
 * at the same time, is what stays. */
static bool write_tracer_mark(uintptr_t at)
{
	size_t offset = 0;
	uint32_t place = block_map_find(tracer.map, at, &offset);

	if (place == 0 || offset >= tracer.list->sizes[place])
		return false;
	uint8_t *rank = &tracer.list->ranks[place], was = *rank;

	while (was == 0 || was > tracer.rank)
		if (__atomic_compare_exchange_n(rank, &was, tracer.rank, false,
						__ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
	return false;
}

static int write_tracer_protect(uintptr_t page, int protection)
{
	return mprotect((void *)page, BLOCK_MAP_PAGE, protection);
}

/* Let PAGE be written, and who was let for longest no more. */
static void write_tracer_let(uintptr_t page)
{
	uintptr_t last = tracer.open[tracer.accept_queue];

	tracer.open[tracer.accept_queue] = page;
	tracer.accept_queue = (tracer.accept_queue + 1) % WRITE_TRACER_OPEN;
	if (last && tracer.pages->watched[block_map_place(tracer.map, last)])
		write_tracer_protect(last, PROT_READ);
}

/* SIGSEGV: a write to a page that must not be written; or a real one, which
 * comes again when the handler has returned. */
static void write_tracer_see(int number, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	uintptr_t page = at - at % BLOCK_MAP_PAGE;
	int place = block_map_place(tracer.map, at), kept = errno;

	(void)context;
	if (place < 0 || !tracer.pages->watched[place]) {
		signal(number, SIG_DFL);
		return;
	}
	if (write_tracer_mark(at))
		tracer.pages->stale[place] = 0;
	else if (++tracer.pages->stale[place] == WRITE_TRACER_PATIENCE)
		tracer.pages->watched[place] = false;
	if (write_tracer_protect(page, PROT_READ | PROT_WRITE) < 0)
		_exit(1);
	if (tracer.pages->watched[place])
		write_tracer_let(page);
	errno = kept;
}

static int write_tracer_watch(void)
{
	const struct sigaction act = {.sa_sigaction = write_tracer_see,
				      .sa_flags = SA_SIGINFO};

	if (sigaction(SIGSEGV, &act, NULL) < 0)
		return -errno;
	uintptr_t page;

	for (int place = 0; (page = block_map_page(tracer.map, place)) != 0;
	     place++)
		tracer.pages->watched[place] =
			block_map_used(tracer.map, place) &&
			write_tracer_protect(page, PROT_READ) == 0;
	return 0;
}

/* ---- lessons --------------------------------------------------------- */

/* As a guest, but that its job is here: what the kernel writes to a page that
 * must not be written it refuses. */
static void write_tracer_follow(const struct write_tracer_lesson *trace,
				const struct limits *limits) NORETURN;

static void write_tracer_follow(const struct write_tracer_lesson *trace,
				const struct limits *limits)
{
	owned_free char *code = strdup(trace->code);
	const struct job job = {.code = {code, strlen(trace->code)}};
	const struct bytes env = {0};
	int rc = code ? privileges_die_with(tracer.pid) : -ENOMEM;

	if (rc == 0)
		rc = prefault_pipes(NULL);
	if (rc == 0)
		rc = write_tracer_watch();
	if (rc == 0)
		rc = interpreter_after_fork();
	_exit(rc < 0 || interpreter_run(&job, &env, limits) != 0);
}

static pid_t write_tracer_give(size_t trace, const struct limits *limits)
{
	const char *module = write_tracer_lessons[trace].module;

	if (module && !interpreter_has(module))
		return 0;
	tracer.rank = (uint8_t)(trace + 1);
	pid_t child = fork();

	if (child == 0)
		write_tracer_follow(&write_tracer_lessons[trace], limits);
	stage_join(child);
	return child < 0 ? -errno : child;
}

static int write_tracer_hear(pid_t child)
{
	owned_fd int pidfd = child < 0 ? -1 : pidfd_of(child);

	if (child < 0)
		return child;
	if (pidfd < 0 || stall_wait(pidfd, child, WRITE_TRACER_STALL_MS) <= 0)
		kill(child, SIGKILL);
	return prefault_wait(child);
}

/* Who does not come to its end has told what it could. */
static void write_tracer_teach(const struct limits *limits)
{
	pid_t children[ARRAY_LEN(write_tracer_lessons)];

	stage_enter(STAGE_TRACER_PROGRAMS);
	for (size_t i = 0; i < ARRAY_LEN(write_tracer_lessons); i++)
		children[i] = write_tracer_give(i, limits);
	for (size_t i = 0; i < ARRAY_LEN(write_tracer_lessons); i++)
		if (children[i] != 0 && write_tracer_hear(children[i]) < 0)
			log_warn("a write tracer's program for %s failed",
				 write_tracer_lessons[i].module
					 ? write_tracer_lessons[i].module
					 : "all");
}

/* ---- its life -------------------------------------------------------- */

static int write_tracer_open(struct block_layout_list *list, pid_t parent)
{
	log_set_role("write-tracer");
	title_set("write-tracer");
	tracer.pid = getpid();
	tracer.list = list;
	tracer.pages = anon_pages_open(sizeof(*tracer.pages), false);
	if (!tracer.pages)
		return -errno;
	int rc = privileges_die_with(parent);

	if (rc == 0)
		rc = block_map_open(&tracer.map);
	/* What the preload forks while it is imported is not ours. */
	return rc < 0 ? rc : -pthread_atfork(NULL, NULL, alloc_hook_leave);
}

static int write_tracer_main(int (*boot)(void *context), void *context,
			     const struct limits *limits,
			     struct block_layout_list *list, pid_t parent)
{
	static const struct alloc_hook_user user = {
		.given = write_tracer_given, .freed = write_tracer_freed};
	size_t taken;
	int rc = write_tracer_open(list, parent);

	if (rc < 0)
		return rc;
	alloc_hook_use(&user);
	rc = boot(context);
	alloc_hook_leave();
	if (rc < 0)
		return rc;
	interpreter_before_forks();
	heap_settle();
	heap_reserve(&taken);
	write_tracer_teach(limits);
	return 0;
}

int write_tracer_learn(int (*boot)(void *context), void *context,
		       const struct limits *limits,
		       struct block_layout_list *list)
{
	if (getpagesize() != BLOCK_MAP_PAGE)
		return -ENOTSUP;
	fflush(NULL); /* or it would be printed twice */
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		_exit(-write_tracer_main(boot, context, limits, list, parent));
	stage_join(child);
	return child < 0 ? -errno : prefault_wait(child);
}
