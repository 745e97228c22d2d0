/*
 * forkexit - the limit: what a bare fork, _exit and wait of a pool process
 *costs.
 *
 *	forkexit [-c CONF] [-n COUNT] [-b]
 *
 * Becomes what a pool process is before its first fork, by box_prepare() with
 * the configuration CONF, and then forks COUNT children that do nothing. With
 * -b it only starts Python, which neither preloads nor freezes anything: what
 * a bare CPython's fork costs. Prints one line of JSON.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "conf/conf.h"
#include "sandbox/base/io.h"
#include "sandbox/python/interpreter.h"
#include "sandbox/guest/box.h"

#define FORKEXIT_COUNT 1000
#define FORKEXIT_WARM 50 /* forks that are not counted */
#define FORKEXIT_MAPS_MAX (8u << 20)

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double cpu_s(void)
{
	struct rusage own, children;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	return seconds(own.ru_utime) + seconds(own.ru_stime) +
	       seconds(children.ru_utime) + seconds(children.ru_stime);
}

static void prepare(const char *path)
{
	static struct box box;
	struct conf conf;
	struct bytes text;
	char wrong[CONF_ERROR_MAX], error[BOX_ERROR_MAX];
	int rc = io_read_file(AT_FDCWD, path, CONF_TEXT_MAX, &text);

	if (rc < 0)
		die("read %s: %s", path, log_errno(rc));
	if (conf_parse(&conf, path, text.data, text.size, wrong) < 0)
		die("%s", wrong);
	const struct box_plan plan = {
		.limits = conf.limits,
		.slots = 2 * conf.workers,
		.preload = conf.preload,
		.python_path = conf.python_path,
		.skeleton = conf.skeleton,
		.cache_dir = conf.cache_dir,
		.home_aliases = conf.home_aliases,
		.uid_base = conf.uid_base,
		.landlock = conf.landlock != CONF_OFF,
		.freeze = conf.freeze,
		.layout = conf.layout,
	};

	if (box_prepare(&box, &plan, error) < 0)
		die("%s", error);
}

static void prepare_bare(void)
{
	char error[INTERPRETER_ERROR_MAX];

	if (interpreter_start(false, error) < 0)
		die("%s", error);
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t fork_once(void)
{
	int64_t begun = now_ns();
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		die("fork: %s", log_errno(errno));
	return now_ns() - begun;
}

/* MAPS was opened while /proc was to be seen. */
static size_t mappings(int maps)
{
	struct bytes text;
	size_t count = 0;

	if (io_read_fd(maps, FORKEXIT_MAPS_MAX, &text) < 0)
		die("read /proc/self/maps");
	for (size_t i = 0; i < text.size; i++)
		count += text.data[i] == '\n';
	free(text.data);
	return count;
}

static void measure(size_t count, int maps)
{
	int64_t *ns = calloc(count, sizeof(*ns));

	if (!ns)
		die("out of memory");
	for (int i = 0; i < FORKEXIT_WARM; i++)
		fork_once();
	double cpu = cpu_s();

	for (size_t i = 0; i < count; i++)
		ns[i] = fork_once();
	cpu = cpu_s() - cpu;
	qsort(ns, count, sizeof(*ns), compare);
	const size_t middle = count / 2, late = count * 95 / 100;

	printf("{\"count\":%zu,\"p50_ms\":%.4f,\"p95_ms\":%.4f,"
	       "\"min_ms\":%.4f,\"cpu_ms\":%.4f,\"mappings\":%zu}\n", count,
	       (double)ns[middle] / 1e6,
	       (double)ns[late] / 1e6, (double)ns[0] / 1e6,
	       cpu * 1e3 / (double)count, mappings(maps));
	free(ns);
}

int main(int argc, char **argv)
{
	const char *conf = NULL;
	size_t count = FORKEXIT_COUNT;
	bool bare = false;
	owned_fd int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);

	for (int c; (c = getopt(argc, argv, "c:n:b")) != -1;) {
		if (c == 'c')
			conf = optarg;
		else if (c == 'n')
			count = strtoul(optarg, NULL, 10);
		else if (c == 'b')
			bare = true;
		else
			return 2;
	}
	log_set_level(LOG_LEVEL_WARN);
	if (maps < 0 || count == 0 || bare == (conf != NULL))
		die("usage: forkexit -c CONF | -b [-n COUNT]");
	if (bare)
		prepare_bare();
	else
		prepare(conf);
	measure(count, maps);
	return 0;
}
