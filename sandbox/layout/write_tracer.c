/*
 * write_tracer - see write_tracer.h.
 *
 * The tracer notes each block that Python allocates. Then its children run one
 * program each on write-protected pages. Each write raises a signal; the
 * handler marks the block and lets the page be written until two others have
 * been opened. So it does not see every write, but nearly each block that is
 * written more than once.
 */
#include "write_tracer.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "block_map.h"
#include "sandbox/base/anon_pages.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"
#include "sandbox/base/stage.h"
#include "sandbox/base/stall.h"
#include "sandbox/base/title.h"
#include "sandbox/prefork/heap.h"
#include "sandbox/prefork/prefault.h"
#include "sandbox/python/interpreter.h"
#include "sandbox/walls/privileges.h"

#define WRITE_TRACER_STALL_MS 60000 /* without processor time: killed */
#define WRITE_TRACER_OPEN 2 /* writable pages: one write may be to two */
#define WRITE_TRACER_PATIENCE \
	20 /* writes to a page in a row that mark no further block; then it \
	    * stays writable */

/* Programs that use the common libraries as most programs do. The first is run
 * whatever was imported. */
static const struct write_tracer_program {
	const char *module; /* run only if it was imported; NULL: always */
	const char *code;
} write_tracer_programs[] = {
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

_Static_assert(ARRAY_LEN(write_tracer_programs) <= TRACE_RANKS,
	       "raise TRACE_RANKS");

/* By their places in the block map. */
struct write_tracer_pages {
	bool watched[BLOCK_MAP_PAGES]; /* write-protected when not open */
	uint8_t stale[BLOCK_MAP_PAGES]; /* writes in a row that marked none */
};

static struct write_tracer {
	pid_t pid; /* its own: its children end with it */
	struct block_map *map; /* to places in TRACE */
	struct trace *trace; /* shared by all processes, unlike the rest */
	uint8_t rank; /* of the program that runs */
	struct write_tracer_pages *pages;
	uintptr_t open[WRITE_TRACER_OPEN]; /* pages; or 0 */
	unsigned oldest; /* of OPEN: the next to be protected again */
} tracer;

/* ---- blocks that are allocated --------------------------------------- */

static void write_tracer_given(void *context, const struct python_block *asked,
			       const void *at)
{
	uint32_t place = trace_add(tracer.trace, asked);

	(void)context;
	if (place > 0)
		block_map_note(tracer.map, at, place);
}

static void write_tracer_freed(void *context, const void *at)
{
	(void)context;
	block_map_forget(tracer.map, at);
}

/* ---- blocks that are written ----------------------------------------- */

/* Mark the block at AT. Returns whether that changed its rank. The programs run
 * at the same time; the lowest rank of all stays. */
static bool write_tracer_mark(uintptr_t at)
{
	size_t offset = 0;
	uint32_t place = block_map_find(tracer.map, at, &offset);

	if (place == 0 || offset >= tracer.trace->sizes[place])
		return false;
	uint8_t *rank = &tracer.trace->ranks[place], was = *rank;

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

/* Note that PAGE is open, and protect the page that was open for longest. */
static void write_tracer_note_open(uintptr_t page)
{
	uintptr_t last = tracer.open[tracer.oldest];

	tracer.open[tracer.oldest] = page;
	tracer.oldest = (tracer.oldest + 1) % WRITE_TRACER_OPEN;
	if (last && tracer.pages->watched[block_map_place(tracer.map, last)])
		write_tracer_protect(last, PROT_READ);
}

/* SIGSEGV: a write to a protected page; or a real fault, which repeats with the
 * default action once the handler has returned. */
static void write_tracer_on_fault(int number, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)info->si_addr;
	uintptr_t page = at - at % BLOCK_MAP_PAGE;
	int place = block_map_place(tracer.map, at), saved = errno;

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
		write_tracer_note_open(page);
	errno = saved;
}

static int write_tracer_watch(void)
{
	const struct sigaction act = {.sa_sigaction = write_tracer_on_fault,
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

/* ---- programs -------------------------------------------------------- */

/* Run PROGRAM as a guest would, but with the job in this memory: the kernel
 * refuses to write to protected pages, as read(2) would ask it to. */
static void write_tracer_run(const struct write_tracer_program *program,
			     const struct limits *limits) NORETURN;

static void write_tracer_run(const struct write_tracer_program *program,
			     const struct limits *limits)
{
	owned_free char *code = strdup(program->code);
	const struct job job = {.code = {code, strlen(program->code)}};
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

/* Returns the child, 0: its module was not imported, or a negative errno
 * value. */
static pid_t write_tracer_start(size_t index, const struct limits *limits)
{
	const char *module = write_tracer_programs[index].module;

	if (module && !interpreter_has(module))
		return 0;
	tracer.rank = (uint8_t)(index + 1);
	pid_t child = fork();

	if (child == 0)
		write_tracer_run(&write_tracer_programs[index], limits);
	stage_join(child);
	return child < 0 ? -errno : child;
}

/* Wait for CHILD, or kill it when it stands still. */
static int write_tracer_wait(pid_t child)
{
	owned_fd int pidfd = child < 0 ? -1 : pidfd_of(child);

	if (child < 0)
		return child;
	if (pidfd < 0 || stall_wait(pidfd, child, WRITE_TRACER_STALL_MS) <= 0)
		kill(child, SIGKILL);
	return prefault_wait(child);
}

/* The marks of a program that fails count, too. */
static void write_tracer_run_all(const struct limits *limits)
{
	pid_t children[ARRAY_LEN(write_tracer_programs)];

	stage_enter(STAGE_TRACER_PROGRAMS);
	for (size_t i = 0; i < ARRAY_LEN(write_tracer_programs); i++)
		children[i] = write_tracer_start(i, limits);
	for (size_t i = 0; i < ARRAY_LEN(write_tracer_programs); i++)
		if (children[i] != 0 && write_tracer_wait(children[i]) < 0)
			log_warn("write tracer: program failed: module=%s",
				 write_tracer_programs[i].module
					 ? write_tracer_programs[i].module
					 : "none");
}

/* ---- sources --------------------------------------------------------- */

/* Append SIZE bytes, each path with its NUL. Returns whether they had room. */
static bool write_tracer_add_sources(const char *paths, size_t size)
{
	struct trace *trace = tracer.trace;

	if (size > TRACE_SOURCES_MAX - trace->sources_size)
		return false;
	memcpy(trace->sources + trace->sources_size, paths, size);
	trace->sources_size += (uint32_t)size;
	return true;
}

/* dl_iterate_phdr(3): an object that the loader has mapped. */
static int write_tracer_add_object(struct dl_phdr_info *info, size_t size,
				   void *context)
{
	(void)size;
	(void)context;
	return info->dlpi_name[0] == '/' &&
	       !write_tracer_add_sources(info->dlpi_name,
					 strlen(info->dlpi_name) + 1);
}

/* The files of this start, or none where they have no room. */
static void write_tracer_list_sources(void)
{
	struct bytes modules;
	int rc = interpreter_sources(&modules);

	if (rc < 0 || !write_tracer_add_sources(modules.data, modules.size) ||
	    dl_iterate_phdr(write_tracer_add_object, NULL) != 0)
		tracer.trace->sources_size = 0;
	if (rc == 0)
		free(modules.data);
}

/* ---- life ------------------------------------------------------------ */

static int write_tracer_open(struct trace *trace, pid_t parent)
{
	log_set_role("write-tracer");
	title_set("write-tracer");
	tracer.pid = getpid();
	tracer.trace = trace;
	tracer.pages = anon_pages_open(sizeof(*tracer.pages), false);
	if (!tracer.pages)
		return -errno;
	int rc = privileges_die_with(parent);

	if (rc == 0)
		rc = block_map_open(&tracer.map);
	/* Blocks of a child that the preload forks are not traced. */
	return rc < 0 ? rc : -pthread_atfork(NULL, NULL, alloc_hook_leave);
}

static int write_tracer_main(int (*boot)(void *context), void *context,
			     const struct limits *limits, struct trace *trace,
			     pid_t parent)
{
	static const struct alloc_hook_user user = {
		.given = write_tracer_given, .freed = write_tracer_freed};
	size_t taken;
	int rc = write_tracer_open(trace, parent);

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
	write_tracer_run_all(limits);
	write_tracer_list_sources();
	return 0;
}

int write_tracer_learn(int (*boot)(void *context), void *context,
		       const struct limits *limits, struct trace *trace)
{
	if (getpagesize() != BLOCK_MAP_PAGE)
		return -ENOTSUP;
	fflush(NULL); /* or the child would print it again */
	pid_t parent = getpid(), child = fork();

	if (child == 0)
		_exit(-write_tracer_main(boot, context, limits, trace, parent));
	stage_join(child);
	return child < 0 ? -errno : prefault_wait(child);
}
