/* check - see check.h. */
#include "check.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conf/conf.h"
#include "sandbox/walls/cgroup_tree.h"
#include "sandbox/walls/kernel_calls.h"
#include "sandbox/walls/landlock.h"
#include "sandbox/walls/syscalls.h"
#include "check_host.h"
#include "check_nginx.h"
#include "check_paths.h"
#include "check_pools.h"
#include "check_preload.h"
#include "claim.h"
#include "fcgi/sessions/registry.h"
#include "listen.h"

#define CHECK_TEXT_MAX 700
#define CHECK_NGINX "/etc/nginx"
/* A kernel that takes longer has waited for all processors. */
#define CHECK_SLOW_ENTRY_US 5000

/* Results of a check: the layer is used; it could be set better; the server
 * runs without it, at a cost; it is required and missing. */
enum check_verdict { CHECK_USED, CHECK_ADVISED, CHECK_WITHOUT, CHECK_MISSING,
		     CHECK_VERDICTS };

static const char *const check_names[CHECK_VERDICTS] = {
	[CHECK_USED] = "ok     ",
	[CHECK_ADVISED] = "advice ",
	[CHECK_WITHOUT] = "without",
	[CHECK_MISSING] = "MISSING",
};

static enum check_verdict check_missing(enum conf_want want)
{
	return want == CONF_REQUIRE ? CHECK_MISSING : CHECK_WITHOUT;
}

static enum check_verdict check_kernel(const struct conf *conf, char *text)
{
	struct utsname name;
	unsigned major = 0, minor = 0;

	(void)conf;
	uname(&name);
	if (sscanf(name.release, "%u.%u", &major, &minor) != 2)
		major = 0;
	snprintf(text, CHECK_TEXT_MAX, "Linux %s; 5.15 or later is needed",
		 name.release);
	return major > 5 || (major == 5 && minor >= 15) ? CHECK_USED
							: CHECK_MISSING;
}

/* Try it in a child, because a pool process does the same. */
static enum check_verdict check_namespaces(const struct conf *conf, char *text)
{
	int status = 0;
	pid_t pid = fork();

	(void)conf;
	if (pid == 0)
		_exit(unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET |
			      CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP |
			      CLONE_NEWPID) < 0);
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status != 0) {
		snprintf(text, CHECK_TEXT_MAX,
			 "user namespaces cannot be made: look at the sysctls "
			 "user.max_user_namespaces and "
			 "kernel.unprivileged_userns_clone");
		return CHECK_MISSING;
	}
	snprintf(text, CHECK_TEXT_MAX,
		 "user, mount, pid, network, ipc, uts, cgroup");
	return CHECK_USED;
}

static enum check_verdict check_users(const struct conf *conf, char *text)
{
	if (geteuid() == 0)
		snprintf(text, CHECK_TEXT_MAX,
			 "uid %u for workers, %u to %u for guests, one each",
			 conf->uid_base, conf->uid_base + 1,
			 conf->uid_base +
				 conf_generations(conf) * conf->workers +
				 registry_slots(&conf->sessions));
	else
		snprintf(text, CHECK_TEXT_MAX,
			 "not root: all guests share uid %u; namespaces and "
			 "the filter alone keep them apart",
			 geteuid());
	return geteuid() == 0 ? CHECK_USED : CHECK_WITHOUT;
}

static enum check_verdict check_cgroups(const struct conf *conf, char *text)
{
	const struct cgroup_paths paths = cgroup_host_paths(conf->cgroup_name);
	struct cgroup_host host;

	if (conf->cgroups == CONF_OFF) {
		snprintf(text, CHECK_TEXT_MAX, "switched off");
		return CHECK_WITHOUT;
	}
	int64_t took = cgroup_tree_try(&host, &paths, &conf->limits);

	if (took >= 0) {
		snprintf(text, CHECK_TEXT_MAX,
			 "version %d, below %.400s; one was made, and entered "
			 "in %.1f ms%s",
			 host.kind == CGROUP_V2 ? 2 : 1, host.base,
			 (double)took / 1000,
			 host.kind == CGROUP_V2 && took > CHECK_SLOW_ENTRY_US
				 ? " (`mount -o remount,favordynmods "
				   "/sys/fs/cgroup` shortens that from Linux "
				   "6.0 on; requests rarely wait for it)"
				 : "");
		return CHECK_USED;
	}
	snprintf(text, CHECK_TEXT_MAX,
		 "%.300s; without them memory and processor time are bounded "
		 "by resource limits alone, which do not see kernel memory; "
		 "%s",
		 host.why, cgroup_tree_advice());
	return check_missing(conf->cgroups);
}

/* Compare the memory that all programs may use at the same time with the memory
 * that they have. */
static enum check_verdict check_memory(const struct conf *conf, char *text)
{
	const struct cgroup_paths paths = cgroup_host_paths(conf->cgroup_name);
	const struct limits *limits = &conf->limits;
	const uint64_t each = (uint64_t)limits->memory_mb + limits->home_mb +
			      CGROUP_SLACK_MB;
	const uint64_t session = conf->sessions.small ? CONF_SESSION_MB : each;
	const uint64_t worst = each * conf->workers +
			       session * conf->sessions.max;
	struct cgroup_host host = {.kind = CGROUP_NONE};

	if (conf->cgroups != CONF_OFF)
		cgroup_host_probe(&host, &paths);
	const bool kept = host.kind != CGROUP_NONE;
	const uint64_t all = cgroup_host_share_mb(&host, conf->memory_percent);
	int size = snprintf(
		text, CHECK_TEXT_MAX,
		"%u programs of %ju MB and %u sessions of %ju MB may use "
		"%ju MB; walls.memory_percent = %u leaves %ju MB for them%s",
		conf->workers, (uintmax_t)each, conf->sessions.max,
		(uintmax_t)session, (uintmax_t)worst, conf->memory_percent, (uintmax_t)all,
		kept ? "" : ", but without control groups nothing enforces it");

	if (worst <= all)
		return CHECK_USED;
	snprintf(text + size, CHECK_TEXT_MAX - (size_t)size,
		 ". When they use more, one of them is ended: lower "
		 "pool.workers, sessions.max, limits.memory_mb or "
		 "limits.home_mb");
	return CHECK_ADVISED;
}

/* Another server with the same ids is no failure. It may be the running one, if
 * its configuration is checked before a reload. */
static enum check_verdict check_others(const struct conf *conf, char *text)
{
	const struct cgroup_paths paths = cgroup_host_paths(conf->cgroup_name);
	struct cgroup_host host = {.kind = CGROUP_NONE};
	const struct claim claim = {.conf = conf, .host = &host};
	char error[CLAIM_ERROR_MAX];

	if (conf->cgroups != CONF_OFF)
		cgroup_host_probe(&host, &paths);
	int rc = claim_check(&claim, error);

	if (rc > 0)
		snprintf(text, CHECK_TEXT_MAX,
			 "none has the same user ids or control group");
	else
		snprintf(
			text, CHECK_TEXT_MAX, "%s%s", error,
			rc == 0 ? " (no fault if that server is to be reloaded)"
				: "");
	return rc > 0 ? CHECK_USED : CHECK_WITHOUT;
}

static enum check_verdict check_landlock(const struct conf *conf, char *text)
{
	int abi = landlock_abi();

	if (conf->landlock == CONF_OFF) {
		snprintf(text, CHECK_TEXT_MAX, "switched off");
		return CHECK_WITHOUT;
	}
	if (abi == 0) {
		snprintf(text, CHECK_TEXT_MAX,
			 "this kernel has none; the mounts alone bound the "
			 "files of a guest");
		return check_missing(conf->landlock);
	}
	snprintf(text, CHECK_TEXT_MAX, "ABI %d%s", abi,
		 abi < 6 ? " (before ABI 6, namespaces alone confine signals "
			   "and abstract sockets)"
			 : "");
	return CHECK_USED;
}

/* Compile the filters of guests and of workers. */
static enum check_verdict check_filter(const struct conf *conf, char *text)
{
	unsigned instructions[SYSCALLS_ROLES] = {0};

	(void)conf;
	for (enum syscalls_role i = 0; i < SYSCALLS_ROLES; i++) {
		struct syscalls_filter filter;
		int rc = syscalls_compile(i, &filter);

		if (rc < 0) {
			snprintf(text, CHECK_TEXT_MAX, "cannot be compiled: %s",
				 log_errno(rc));
			return CHECK_MISSING;
		}
		instructions[i] = filter.count;
		syscalls_free(&filter);
	}
	snprintf(text, CHECK_TEXT_MAX,
		 "%u calls allowed, %u instructions; for a worker %u, %u",
		 syscalls_allowed(SYSCALLS_GUEST), instructions[SYSCALLS_GUEST],
		 syscalls_allowed(SYSCALLS_WORKER),
		 instructions[SYSCALLS_WORKER]);
	return CHECK_USED;
}

/* Try each call, because a filter may be in force where the server is
 * started. */
static enum check_verdict check_kernel_calls(const struct conf *conf,
					     char *text)
{
	struct kernel_calls calls;
	char needed[KERNEL_CALLS_WORDS_MAX], others[KERNEL_CALLS_WORDS_MAX];
	int rc = kernel_calls_try(&calls);

	(void)conf;
	if (rc < 0) {
		snprintf(text, CHECK_TEXT_MAX, "cannot be tried: %s",
			 log_errno(rc));
		return CHECK_MISSING;
	}
	bool missing = kernel_calls_lacking(&calls, true, needed) > 0;
	bool without = kernel_calls_lacking(&calls, false, others) > 0;

	if (missing || without)
		snprintf(text, CHECK_TEXT_MAX, "%.450s; %s",
			 missing ? needed : others, KERNEL_CALLS_REASON);
	else
		snprintf(text, CHECK_TEXT_MAX, "%u of %u were tried, and work",
			 kernel_calls_working(&calls), kernel_calls_count());
	return missing ? CHECK_MISSING : without ? CHECK_WITHOUT : CHECK_USED;
}

/* Its memory can be measured only after its preparation, and is logged then. */
static enum check_verdict check_standby(const struct conf *conf, char *text)
{
	if (conf->standby)
		snprintf(text, CHECK_TEXT_MAX,
			 "one is prepared in advance; it takes the memory of "
			 "a second preloaded interpreter (some 110 MB with "
			 "numpy, pandas and matplotlib; memory_mb in the log)");
	else
		snprintf(text, CHECK_TEXT_MAX,
			 "pool.standby is off: after a crash of the pool or "
			 "its fork server, requests wait seconds for a start");
	return conf->standby ? CHECK_USED : CHECK_WITHOUT;
}

static enum check_verdict check_modules(const struct conf *conf, char *text)
{
	return check_preload(conf, text, CHECK_TEXT_MAX) < 0 ? CHECK_MISSING
							     : CHECK_USED;
}

static enum check_verdict check_files(const struct conf *conf, char *text)
{
	return check_paths(conf, text, CHECK_TEXT_MAX) < 0 ? CHECK_MISSING
							   : CHECK_USED;
}

/* How many of the COUNT addresses in LIST can be had. TEXT gets a sentence on
 * those that cannot. */
static enum check_verdict check_listen_each(const struct address_listen *list,
					    int count, char *text)
{
	enum check_verdict worst = CHECK_ADVISED;
	size_t used = 0;

	for (int i = 0; i < count; i++) {
		const int rc = listen_tcp_try(&list[i]);

		if (rc == 0)
			continue;
		if (rc != -EADDRINUSE)
			worst = CHECK_MISSING;
		else if (worst == CHECK_ADVISED)
			worst = CHECK_WITHOUT;
		used += (size_t)snprintf(
			text + used, CHECK_TEXT_MAX - used, "%s%s: %s%s",
			used ? "; " : "", list[i].text, log_errno(rc),
			rc == -EADDRINUSE ? " (no fault if that is the server "
					    "to be reloaded)"
					  : "");
	}
	return worst;
}

static enum check_verdict check_listen(const struct conf *conf, char *text)
{
	struct address_listen list[ADDRESS_LISTEN_MAX];
	const int count = address_read_listen(conf->listen, list);
	bool remote = false;

	if (count <= 0) {
		snprintf(text, CHECK_TEXT_MAX, "none; the unix socket alone");
		return CHECK_USED;
	}
	for (int i = 0; i < count; i++)
		remote = remote || address_is_remote(&list[i]);
	enum check_verdict verdict = check_listen_each(list, count, text);

	if (verdict != CHECK_ADVISED)
		return verdict;
	snprintf(text, CHECK_TEXT_MAX,
		 "%s, from %.200s: FastCGI has no encryption and no password, "
		 "so %s",
		 conf->listen, conf->allowed_clients,
		 remote ? "use a network that no other host can read or "
			  "write, such as WireGuard"
			: "every user of this host can run code there without "
			  "a token");
	return verdict;
}

static enum check_verdict check_group(const struct conf *conf, char *text)
{
	return check_paths_group(conf, text, CHECK_TEXT_MAX) < 0
		       ? CHECK_MISSING
		       : CHECK_USED;
}

static enum check_verdict check_nginx_reaches(const struct conf *conf,
					      char *text)
{
	return check_nginx_user(CHECK_NGINX, conf, text, CHECK_TEXT_MAX)
		       ? CHECK_USED
		       : CHECK_ADVISED;
}

static enum check_verdict check_nginx_fits(const struct conf *conf, char *text)
{
	return check_nginx_limits(CHECK_NGINX, conf, text, CHECK_TEXT_MAX)
		       ? CHECK_USED
		       : CHECK_ADVISED;
}

static const struct {
	const char *name;
	enum check_verdict (*check)(const struct conf *conf, char *text);
} check_rows[] = {
	{"kernel", check_kernel},	  {"namespaces", check_namespaces},
	{"users", check_users},		  {"control groups", check_cgroups},
	{"memory", check_memory},	  {"other servers", check_others},
	{"Landlock", check_landlock},
	{"system calls", check_filter},
	{"kernel calls", check_kernel_calls}, {"standby", check_standby},
	{"preload", check_modules},
	{"paths", check_files},		  {"socket's group", check_group},
	{"tcp sockets", check_listen},
	{"nginx's user", check_nginx_reaches},
	{"nginx's limits", check_nginx_fits},
};

static int check_layers(const struct conf *conf)
{
	int missing = 0;

	for (size_t i = 0; i < ARRAY_LEN(check_rows); i++) {
		char text[CHECK_TEXT_MAX] = "";
		enum check_verdict verdict = check_rows[i].check(conf, text);

		printf("%s %-15s %s\n", check_names[verdict],
		       check_rows[i].name, text);
		missing += verdict == CHECK_MISSING;
	}
	return missing;
}

/* Check one configuration: that of POOL, "" if the file has no pools. Returns
 * how much is missing; -EINVAL: it cannot be read. */
static int check_one(const char *path, const char *pool)
{
	struct conf conf;
	struct bytes text;
	char error[CONF_ERROR_MAX];

	if (pools_read(path, pool, &text, &conf, error) < 0) {
		printf("%s configuration   %s\n", check_names[CHECK_MISSING],
		       error);
		return -EINVAL;
	}
	printf("%s configuration   %s%s%s%s\n", check_names[CHECK_USED], path,
	       *pool ? " [pool " : "", pool, *pool ? "]" : "");
	int missing = check_layers(&conf);

	free(text.data);
	conf_free(&conf);
	return missing;
}

/* Compare all pools of the file. Returns how much is missing. */
static int check_together(const char *path, const struct pools *pools)
{
	enum check_verdict verdict = CHECK_USED;
	char text[CHECK_TEXT_MAX];
	unsigned percent;

	if (pools->count == 0)
		return 0;
	if (check_pools(path, pools, text, sizeof(text), &percent) > 0) {
		verdict = CHECK_MISSING;
	} else if (percent > 100) {
		verdict = CHECK_ADVISED;
		snprintf(text, sizeof(text),
			 "together they may use %u %% of the host's memory: "
			 "set walls.memory_percent of each",
			 percent);
	} else {
		snprintf(text, sizeof(text),
			 "%u, none of which has another's sockets, "
			 "directories, control group or user ids",
			 pools->count);
	}
	printf("%s %-15s %s\n", check_names[verdict], "pools", text);
	return verdict == CHECK_MISSING;
}

/* Returns how much is missing; -EINVAL: a configuration cannot be read. */
static int check_all(const char *path, const char *pool)
{
	char error[CONF_ERROR_MAX];
	struct pools pools;
	int all = 0;

	/* On failure check_one() tells the reason. */
	if (pools_list(path, &pools, error) < 0 || *pool || pools.count == 0) {
		all = check_one(path, pool);
		return all < 0 ? all : all + check_together(path, &pools);
	}
	for (unsigned i = 0; i < pools.count; i++) {
		const int missing = check_one(path, pools.names[i]);

		if (missing < 0)
			return missing;
		all += missing;
	}
	return all + check_together(path, &pools);
}

int check_main(const char *path, const char *pool)
{
	int missing = check_all(path, pool);

	if (missing < 0)
		return 1;
	unsigned advice = check_host("/", stdout);

	if (advice)
		printf("The host could be safer: %u of the above %s advice, "
		       "which never keeps the server from starting.\n",
		       advice, advice == 1 ? "is" : "are");
	if (missing)
		printf("The server would not start: %d of the above %s "
		       "needed and missing.\n", missing,
		       missing == 1 ? "is" : "are");
	return missing > 0;
}
