/* box - see box.h. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "guest.h"
#include "sandbox/prefork/freeze.h"
#include "sandbox/prefork/heap.h"
#include "sandbox/prefork/layout.h"
#include "sandbox/base/io.h"
#include "sandbox/walls/landlock.h"
#include "sandbox/base/log.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/python/debian.h"
#include "sandbox/python/interpreter.h"
#include "sandbox/filesystem/root.h"
#include "sandbox/filesystem/skeleton.h"
#include "sandbox/base/spawn.h"
#include "sandbox/base/stage.h"
#include "sandbox/base/steps.h"

/* More stack than any step of box_enter() uses. */
#define BOX_STACK (128u << 10)

/* State that one step hands to a later one. */
struct box_work {
	struct box *box;
	const struct box_plan *plan;
	char *error;
	struct root_plan *root;
	size_t objects; /* mapped by the loader before Python starts */
	struct layout *layout; /* while Python starts; NULL: none */
};

static int box_fail(struct box_work *work, int rc, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

static int box_fail(struct box_work *work, int rc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(work->error, BOX_ERROR_MAX, fmt, args);
	va_end(args);
	return rc;
}

static int box_look_at_host(struct box_work *work)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	work->box->cores = cores > 0 ? (unsigned)cores : 1;
	work->box->proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (work->box->proc < 0)
		return -errno;
	work->box->landlock_abi = work->plan->landlock ? landlock_abi() : 0;
	work->box->jit = work->plan->jit;
	if (work->plan->landlock && work->box->landlock_abi == 0)
		return box_fail(work, -ENOSYS,
				"this kernel has no Landlock; set "
				"walls.landlock to run without it");
	return 0;
}

static int box_open_groups(struct box_work *work)
{
	struct box *box = work->box;
	const struct cgroup_host none = {.kind = CGROUP_NONE};
	const struct cgroup_host *host = work->plan->cgroups;

	box->base.counted = host && host->kind != CGROUP_NONE;
	box->groups = calloc(box->slots, sizeof(*box->groups));
	if (!box->groups)
		return -ENOMEM;
	for (unsigned i = 0; i < box->slots; i++) {
		int rc = cgroup_open(host ? host : &none, i, &box->groups[i]);

		if (rc < 0)
			return box_fail(work, rc,
					"open the control group of slot "
					"%u: %s",
					i, log_errno(rc));
	}
	return 0;
}

static int box_read_skeleton(struct box_work *work)
{
	const char *dir = work->plan->skeleton;
	int rc = *dir ? skeleton_read(dir, &work->box->skeleton,
				      &work->box->skeleton_count)
		      : 0;

	return rc < 0 ? box_fail(work, rc, "read the skeleton %s: %s", dir,
				 log_errno(rc))
		      : 0;
}

static int box_copy_aliases(struct box_work *work)
{
	char *copy = work->box->home_aliases;
	int size = snprintf(copy, ALIASES_TEXT_MAX + 1, "%s",
			    work->plan->home_aliases);

	return size > ALIASES_TEXT_MAX ? -ENAMETOOLONG : 0;
}

static int box_enter_namespaces(struct box_work *work)
{
	stage_enter(STAGE_NAMESPACES);
	return namespaces_enter(work->plan->uid_base, work->box->slots,
				&work->box->who, work->error, BOX_ERROR_MAX);
}

static int box_root_failed(struct box_work *work, const char *step, int rc)
{
	return box_fail(work, rc, "build the guests' root: %s: %s", step,
			log_errno(rc));
}

static int box_open_root(struct box_work *work)
{
	struct root_extra extra = {.python_path = work->plan->python_path,
				   .cache_dir = work->plan->cache_dir,
				   .home_aliases = work->plan->home_aliases};
	char step[ROOT_STEP_MAX];
	int rc = root_open(&extra, &work->root, step);

	return rc < 0 ? box_root_failed(work, step, rc) : 0;
}

static int box_read_versions(struct box_work *work)
{
	return work->plan->packages ? debian_versions(DEBIAN_STATUS,
						      &work->box->versions)
				    : 0;
}

static int box_become_worker(struct box_work *work)
{
	return namespaces_become(&work->box->who);
}

static int box_enter_root(struct box_work *work)
{
	char step[ROOT_STEP_MAX];
	int rc = root_enter(&work->root, step);

	return rc < 0 ? box_root_failed(work, step, rc) : 0;
}

static int box_empty_bounding_set(struct box_work *work)
{
	(void)work;
	return privileges_empty_bounding_set();
}

/* Wipe SPAWN_LOADER from the first stack, where any child could read it. */
static int box_forget_loader(struct box_work *work)
{
	char *value = getenv(SPAWN_LOADER);
	size_t name = strlen(SPAWN_LOADER "=");

	(void)work;
	if (!value)
		return 0;
	unsetenv(SPAWN_LOADER); /* drops the pointer; the text stays */
	/* NOLINTNEXTLINE(clang-analyzer-security.cert.env.InvalidPtr) */
	explicit_bzero(value - name, name + strlen(value));
	return 0;
}

/* Draw a random number, because glibc 2.41 and later map a state at the first
 * getrandom(3) of a process. That takes four system calls, which a worker would
 * make while it has a request. The kernel wipes the state in each child, so no
 * two draw the same numbers. */
static int box_draw_random(struct box_work *work)
{
	char drawn;

	(void)work;
	return getrandom(&drawn, sizeof(drawn), 0) == sizeof(drawn) ? 0
								    : -errno;
}

/* Wipe host paths that earlier steps had in their stack frames. */
static int box_clear_stack(struct box_work *work)
{
	char below[BOX_STACK];

	(void)work;
	explicit_bzero(below, sizeof(below));
	return 0;
}

/* Python starts in /home/user of the scratch tmpfs. box_seal() unmounts that,
 * so no other process may have its working directory there. */
static int box_go_home(struct box_work *work)
{
	(void)work;
	return chdir("/home/user") < 0 ? -errno : 0;
}

static int box_list_packages(struct box_work *work)
{
	char words[INTERPRETER_ERROR_MAX];
	int rc = work->plan->packages
			 ? interpreter_packages(&work->box->versions,
						&work->box->packages, words)
			 : 0;

	base_release_ptr(&work->box->versions.data);
	return rc < 0 ? box_fail(work, rc, "list packages: %s", words) : 0;
}

/* What Python's side reads before a program runs. */
static int box_set_environment(const struct box_plan *plan)
{
	const struct box_variable {
		bool wanted;
		const char *name, *value;
	} rows[] = {
		/* numba would fail without it: plain_numba.py. */
		{!plan->jit, "NUMBA_DISABLE_JIT", "1"},
		/* Python reads no environment. Programs find the seed there. */
		{!plan->random_hashes, "PYTHONHASHSEED", "0"},
		{plan->installing, "TERRARIUM_INSTALLING", "1"}, /* missing.py */
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].wanted &&
		    setenv(rows[i].name, rows[i].value, true) < 0)
			return -errno;
	return 0;
}

static int box_python(struct box_work *work)
{
	char words[INTERPRETER_ERROR_MAX];

	if (box_set_environment(work->plan) < 0)
		return box_fail(work, -ENOMEM, "out of memory");
	int rc = interpreter_start(work->plan->random_hashes, words);

	if (rc < 0)
		return box_fail(work, rc, "start Python: %s", words);
	owned_free char *path = root_python_path(work->plan->python_path);

	if (!path)
		return box_fail(work, -ENOMEM, "out of memory");
	rc = interpreter_preload(work->plan->preload, path, words);
	if (rc < 0)
		return box_fail(work, rc, "preload \"%.200s\": %s",
				work->plan->preload, words);
	rc = box_list_packages(work);
	if (rc < 0)
		return rc;
	rc = interpreter_get_ready(words);
	return rc < 0 ? box_fail(work, rc, "rehearse: %s", words) : 0;
}

/* The number behind NAME in TEXT, that of /proc/self/status. */
static unsigned long box_status(const char *text, const char *name)
{
	const char *line = strstr(text, name);

	return line ? strtoul(line + strlen(name), NULL, 10) : 0;
}

/* Read /proc/self/status into TEXT, which the caller frees. */
static int box_read_status(struct box_work *work, struct bytes *text)
{
	int rc = io_read_file(work->box->proc, "self/status", 1 << 16, text);

	return rc < 0 ? box_fail(work, rc, "read /proc/self/status: %s",
				 log_errno(rc))
		      : 0;
}

/* Note the address space in use, and check that there is one thread. fork(2)
 * copies only the calling thread, so a lock that another one holds would stay
 * locked in every guest. */
static int box_measure(struct box_work *work)
{
	struct bytes text;
	int rc = box_read_status(work, &text);

	if (rc < 0)
		return rc;
	owned_free char *words = text.data;
	unsigned long threads = box_status(words, "\nThreads:");

	work->box->base.size_kb = box_status(words, "\nVmSize:");
	if (threads == 1)
		return 0;
	return box_fail(work, -EBUSY,
			"the preload \"%.200s\" has left "
			"%lu threads running; it must leave one",
			work->plan->preload, threads);
}

/* Note the memory that a guest begins with. Freezing has changed it. */
static int box_measure_data(struct box_work *work)
{
	struct bytes text;
	int rc = box_read_status(work, &text);

	if (rc < 0)
		return rc;
	work->box->base.data_kb = box_status(text.data, "\nVmData:");
	free(text.data);
	return 0;
}

/* Give a write tracer a scratch tmpfs of its own, so that files that its
 * preload leaves do not change the preload of this process. */
static int box_own_scratch(struct box_work *work)
{
	char step[ROOT_STEP_MAX] = "enter a mount namespace";
	int rc = namespaces_own_mounts();

	if (rc == 0)
		rc = root_own_scratch(step);
	return rc < 0 ? box_root_failed(work, step, rc) : 0;
}

/* In a write tracer: start Python as box_import() will, but in its own scratch
 * tmpfs. */
static int box_boot(void *context)
{
	static const STEP(struct box_work *) steps[] = {
		{"make a scratch tmpfs", box_own_scratch},
		{"go to /home/user", box_go_home},
		{"start Python", box_python},
		{"measure Python", box_measure},
	};
	struct box_work *work = context;
	int rc = steps_take(steps, work, work->error, BOX_ERROR_MAX);

	if (rc < 0)
		log_warn("layout: start of the write tracer: %s", work->error);
	return rc;
}

static int box_begin_layout(struct box_work *work)
{
	const struct box_plan *plan = work->plan;
	const char *const options[] = {
		plan->preload, plan->python_path,
		plan->random_hashes ? "random hashes" : "hash seed 0"};
	const struct layout_plan wanted = {
		.boot = box_boot,
		.context = work,
		.limits = &plan->limits,
		.options = options,
		.option_count = ARRAY_LEN(options),
		.keep_dir = *plan->cache_dir ? ROOT_CACHE : NULL};

	if (!plan->freeze || !plan->layout)
		return 0;
	if (layout_begin)
		work->layout = layout_begin(&wanted);
	else
		log_warn("layout: this build is without sandbox/layout, so "
			 "guests copy more pages; set guest.layout = no");
	return 0;
}

static int box_import(struct box_work *work)
{
	stage_enter(STAGE_IMPORT);
	return box_python(work);
}

static int box_end_layout(struct box_work *work)
{
	if (work->layout)
		layout_end(&work->layout);
	return 0;
}

static int box_session_filters(struct box *box)
{
	int rc = syscalls_compile_guest(SYSCALLS_SESSION, box->jit,
					&box->session_filter);

	if (rc == 0)
		rc = syscalls_compile_gate(&box->gate);
	if (rc == 0)
		rc = syscalls_compile(SYSCALLS_KEEPER, &box->keeper_filter);
	return rc;
}

static int box_compile_filters(struct box_work *work)
{
	bool sessions = work->plan->sessions > 0;
	int rc = syscalls_compile_guest(SYSCALLS_GUEST, work->plan->jit,
					&work->box->filter);

	if (rc == 0)
		rc = syscalls_compile(work->plan->calls ? SYSCALLS_CALLER
							: SYSCALLS_WORKER,
				      &work->box->worker_filter);
	if (rc == 0)
		rc = syscalls_compile(SYSCALLS_INIT, &work->box->init_filter);
	if (rc == 0 && sessions)
		rc = box_session_filters(work->box);
	return rc;
}

static int box_seal(struct box_work *work)
{
	char step[ROOT_STEP_MAX];
	int rc = root_seal(step);

	return rc < 0 ? box_fail(work, rc,
				 "seal the guests' root: %s: "
				 "%s",
				 step, log_errno(rc))
		      : 0;
}

static int box_freeze_heap(struct box_work *work, size_t exact)
{
	struct freeze_report report = {0};
	struct freeze *freeze = NULL;

	fflush(NULL); /* or each guest would print it again */
	if (!work->plan->freeze)
		return 0;
	int rc = freeze_open(&freeze, work->box->proc);

	if (rc == 0)
		rc = freeze_heap(freeze, exact, &report);
	freeze_close(&freeze);
	if (rc < 0)
		return rc;
	log_info("freeze: size_mb=%zu mappings=%zu huge_pages_mb=%zu",
		 report.bytes >> 20, report.mappings, report.large >> 20);
	if (report.no_large < 0 || report.large == 0)
		log_info("freeze: no huge pages, forks are slower: "
			 "reason=\"%s\"",
			 report.no_large < 0 ? log_errno(report.no_large)
					     : "the kernel has none");
	return 0;
}

static int box_freeze_parent(struct box_work *work)
{
	heap_settle();
	return box_freeze_heap(work, FREEZE_ALL_EXACT);
}

/* The objects of this program keep their protection, because session keepers
 * are forked from here, too, and read the messages of guests. */
static int box_freeze_python(struct box_work *work)
{
	size_t taken;

	stage_enter(STAGE_FREEZE);
	heap_settle();
	int rc = heap_reserve(&taken);

	work->box->base.size_kb += taken >> 10;
	if (rc < 0)
		log_info("heap: no huge pages, arrays are slower: "
			 "reason=\"%s\"", log_errno(rc));
	return box_freeze_heap(work, work->objects);
}

static int box_count_objects(struct box_work *work)
{
	work->objects = freeze_count_objects();
	return 0;
}

static int box_settle_python(struct box_work *work)
{
	(void)work;
	interpreter_before_forks();
	return 0;
}

/* In a child: be a guest that runs a trivial job. CONTEXT is its struct
 * limits. */
static int box_rehearse_guest(void *context)
{
	char code[] = PREFAULT_PROGRAM;
	const struct job job = {.code = {code, sizeof(code) - 1}};
	struct bytes packed;
	int rc = wire_pack_job(&job, &packed);

	if (rc == 0)
		rc = prefault_pipes(&packed);
	if (rc == 0)
		rc = interpreter_after_fork();
	return rc < 0 ? rc : guest_serve(context);
}

static int box_learn_pages(struct box_work *work)
{
	struct box *box = work->box;

	if (!work->plan->freeze)
		return 0;
	stage_enter(STAGE_PREFAULT);
	int rc = prefault_learn(box->proc, box_rehearse_guest, &box->limits,
				&box->prefault);

	if (rc < 0)
		log_warn("prefault: off, guests are slower: reason=\"%s\"",
			 log_errno(rc));
	else
		log_info("prefault: process=guest written_pages=%zu "
			 "read_pages=%zu",
			 box->prefault.written.pages, box->prefault.read.pages);
	return 0;
}

int box_enter(struct box *box, const struct box_plan *plan,
	      char error[BOX_ERROR_MAX])
{
	/* In this order; each needs the steps above it. */
	static const STEP(struct box_work *) steps[] = {
		{"open /proc", box_look_at_host}, /* while it is there */
		/* while this user may open them */
		{"open control groups", box_open_groups},
		/* while the host's files are there */
		{"read the skeleton", box_read_skeleton},
		{"read the versions of packages", box_read_versions},
		{"copy the list of aliases", box_copy_aliases},
		{"enter namespaces", box_enter_namespaces},
		{"open the host's files", box_open_root}, /* as root */
		{"become the worker's uid", box_become_worker},
		{"build the guests' root", box_enter_root},
		{"empty the bounding set", box_empty_bounding_set},
		{"compile the filter", box_compile_filters},
		{"forget the loader's variable", box_forget_loader},
		/* before workers are forked */
		{"draw a random number", box_draw_random},
		{"clear the stack", box_clear_stack},
	};
	struct box_work work = {.box = box, .plan = plan, .error = error};

	*box = (struct box){.proc = -1,
			    .fork_server = -1,
			    .limits = plan->limits,
			    .slots = plan->slots,
			    .python = interpreter_version(),
			    .session_limits = plan->limits,
			    .call_ms = plan->call_ms
					       ? plan->call_ms
					       : plan->limits.timeout_ms};
	limits_for_session(&box->session_limits, plan->session_copies);
	return steps_take(steps, &work, error, BOX_ERROR_MAX);
}

int box_start_python(struct box *box, const struct box_plan *plan,
		     char error[BOX_ERROR_MAX])
{
	static const STEP(struct box_work *) steps[] = {
		/* before Python loads libraries */
		{"count mapped objects", box_count_objects},
		{"go to /home/user", box_go_home},
		/* its tracer starts Python first */
		{"begin the layout", box_begin_layout},
		/* from the root that guests will see */
		{"start Python", box_import},
		/* while the cache is there */
		{"end the layout", box_end_layout},
		{"seal the guests' root", box_seal},
		{"measure Python", box_measure},
		{"make Python ready to fork", box_settle_python},
		{"freeze the heap", box_freeze_python},
		{"measure writable memory", box_measure_data},
		/* last: pages written later are copied */
		{"learn which pages guests need", box_learn_pages},
	};
	struct box_work work = {.box = box, .plan = plan, .error = error};

	return steps_take(steps, &work, error, BOX_ERROR_MAX);
}

int box_freeze(struct box *box, const struct box_plan *plan,
	       char error[BOX_ERROR_MAX])
{
	static const STEP(struct box_work *) steps[] = {
		{"freeze the heap", box_freeze_parent},
	};
	struct box_work work = {.box = box, .plan = plan, .error = error};

	return steps_take(steps, &work, error, BOX_ERROR_MAX);
}

int box_prepare(struct box *box, const struct box_plan *plan,
		char error[BOX_ERROR_MAX])
{
	int rc = box_enter(box, plan, error);

	if (rc == 0)
		rc = box_start_python(box, plan, error);
	if (rc == 0)
		base_release_fd(&box->proc);
	return rc;
}
