/*
 * options - the table of options, and the rules between them.
 *
 * Sentences say what the option is for; what it may be is written by the
 * kind. "0 is never" is spelled out wherever a 0 is allowed to mean that:
 * nothing here becomes unlimited by accident.
 */
#include "options.h"

#include <string.h>

#define AT(field) .offset = offsetof(struct conf, field)
#define RANGE(low, high) .min = (low), .max = (high)

#define SOCKET_PATH_MAX 107 /* sun_path, less its NUL */
#define FILE_PATH_MAX 1024

static const char *const want_words[] = {
	[CONF_REQUIRE] = "require",
	[CONF_OPTIONAL] = "optional",
	[CONF_OFF] = "off",
	NULL,
};

const struct option_row options[] = {
	{ "server", "socket", OPTION_PATH, AT(socket),
	  RANGE(1, SOCKET_PATH_MAX), .unset = "/run/terrarium/fastcgi.sock",
	  .sentence = "Unix socket on which nginx reaches the workers." },
	{ "server", "status_socket", OPTION_PATH, AT(status_socket),
	  RANGE(1, SOCKET_PATH_MAX), .unset = "/run/terrarium/status.sock",
	  .sentence = "Unix socket that answers /health, /status and /metrics "
		      "even when every worker is busy." },
	{ "server", "socket_mode", OPTION_MODE, AT(socket_mode),
	  RANGE(0600, 0777), .unset = "0660",
	  .sentence = "Mode of both sockets. Whoever can write to them can "
		      "run code without a token." },
	{ "server", "socket_group", OPTION_NAME, AT(socket_group),
	  RANGE(0, 32), .unset = "",
	  .sentence = "Group of both sockets: the one nginx's workers are in, "
		      "www-data on Debian. Empty leaves it to the process." },
	{ "server", "backlog", OPTION_NUMBER, AT(backlog), RANGE(1, 65535),
	  .unset = "64", .unit = "connections",
	  .sentence = "How many requests may wait for a worker. The next one "
		      "is told to come back later." },
	{ "server", "pid_file", OPTION_PATH, AT(pid_file),
	  RANGE(0, FILE_PATH_MAX), .unset = "",
	  .sentence = "Where the master writes its process id. Not needed "
		      "under systemd." },
	{ "server", "cache_dir", OPTION_PATH, AT(cache_dir),
	  RANGE(0, FILE_PATH_MAX), .unset = "",
	  .sentence = "Directory for what the preloaded packages may keep "
		      "between starts, such as matplotlib's list of fonts. "
		      "Empty: made anew at each start." },
	{ "server", "artifacts_dir", OPTION_PATH, AT(artifacts_dir),
	  RANGE(0, FILE_PATH_MAX), .unset = "",
	  .sentence = "Directory that keeps, for looking at, what the last runs "
		      "of python-execute were given and have written, each "
		      "under its id. Empty: nothing is kept." },
	{ "server", "artifacts_keep", OPTION_NUMBER, AT(artifacts_keep),
	  RANGE(1, 10000), .unset = "50", .unit = "runs",
	  .sentence = "How many of them." },
	{ "server", "body_mb", OPTION_NUMBER, AT(body_mb), RANGE(1, 1024),
	  .unset = "100", .unit = "megabytes",
	  .sentence = "Largest request. nginx has the same limit: "
		      "client_max_body_size." },
	{ "server", "header_timeout_ms", OPTION_NUMBER,
	  AT(header_timeout_ms), RANGE(100, 600000), .unset = "5000",
	  .unit = "milliseconds",
	  .sentence = "How long a worker waits for a request that a "
		      "connection has begun." },
	{ "server", "send_timeout_ms", OPTION_NUMBER, AT(send_timeout_ms),
	  RANGE(100, 3600000), .unset = "30000", .unit = "milliseconds",
	  .sentence = "How long a worker waits for nginx to take the next "
		      "piece of an answer." },

	{ "pool", "workers", OPTION_NUMBER, AT(workers), RANGE(1, 512),
	  .unset = "16", .sentence = "Most programs that run at once." },
	{ "pool", "armed", OPTION_NUMBER, AT(armed), RANGE(1, 512),
	  .unset = "4",
	  .sentence = "How many workers are kept waiting with a guest ready, "
		      "so that a request need not wait for one." },
	{ "pool", "client_percent", OPTION_NUMBER, AT(client_percent),
	  RANGE(1, 100), .unset = "50", .unit = "percent",
	  .sentence = "Share of the pool that one client, which is a token's "
		      "name, may hold while no other asks. Its further calls "
		      "wait. The more clients hold workers the smaller is "
		      "each one's share, so that some are left for the next. "
		      "With 100 one client can make all others wait." },
	{ "pool", "client_waiting", OPTION_NUMBER, AT(client_waiting),
	  RANGE(1, 1024), .unset = "64", .unit = "calls",
	  .sentence = "How many of a client's calls may wait for its others. "
		      "The next one is told to come back later." },
	{ "pool", "generation_age_s", OPTION_NUMBER, AT(generation_age_s),
	  RANGE(0, 31536000), .unset = "3600", .unit = "seconds",
	  .zero = "never",
	  .sentence = "Age at which the preloaded interpreter is replaced by "
		      "a new one with another address layout." },
	{ "pool", "generation_forks", OPTION_NUMBER, AT(generation_forks),
	  RANGE(0, 1000000000), .unset = "100000", .unit = "workers",
	  .zero = "never",
	  .sentence = "Number of workers after which the preloaded "
		      "interpreter is replaced." },
	{ "pool", "standby", OPTION_SWITCH, AT(standby), .unset = "yes",
	  .sentence = "Keep the next preloaded interpreter ready, so that a "
		      "crash, a reload or the age of the present one makes "
		      "nobody wait for seconds. It costs the memory of a "
		      "second one; the log says how much. It is prepared "
		      "while the pool is idle, or at a low priority." },
	{ "pool", "start_stall_s", OPTION_NUMBER, AT(start_stall_s),
	  RANGE(1, 86400), .unset = "60", .unit = "seconds",
	  .sentence = "A start is given up when it stands still for so long: "
		      "no step begins, and none of its processes uses "
		      "processor time. However slowly it advances, it goes "
		      "on." },
	{ "pool", "stop_timeout_s", OPTION_NUMBER, AT(stop_timeout_s),
	  RANGE(1, 3600), .unset = "30", .unit = "seconds",
	  .sentence = "How long running programs may go on after a stop was "
		      "asked for." },

	{ "sessions", "max", OPTION_NUMBER, AT(sessions.max), RANGE(0, 256),
	  .unset = "0", .zero = "none",
	  .sentence = "Sessions that live at once: programs that keep their "
		      "variables and files from call to call. When there are "
		      "more, the one that was idle for longest ends." },
	{ "sessions", "per_client", OPTION_NUMBER, AT(sessions.per_client),
	  RANGE(1, 256), .unset = "8",
	  .sentence = "Sessions of one client, which is a token's name." },
	{ "sessions", "idle_s", OPTION_NUMBER, AT(sessions.idle_s),
	  RANGE(1, 31536000), .unset = "3600", .unit = "seconds",
	  .sentence = "How long a session lives without a call." },
	{ "sessions", "waiting", OPTION_NUMBER, AT(sessions.waiting),
	  RANGE(0, 64), .unset = "4", .zero = "none",
	  .sentence = "Calls that may wait for one session. Each holds a "
		      "worker; the next one is told to come back later." },
	{ "sessions", "snapshots", OPTION_SWITCH, AT(sessions.snapshots),
	  .unset = "yes",
	  .sentence = "Copy a session before each call, so that one which "
		      "fails leaves it as it was." },
	{ "sessions", "branches", OPTION_NUMBER, AT(sessions.branches),
	  RANGE(0, 16), .unset = "4", .zero = "none",
	  .sentence = "Sessions that may begin where another one is and share "
		      "its files." },

	{ "limits", "timeout_ms", OPTION_NUMBER, AT(limits.timeout_ms),
	  RANGE(100, 3600000), .unset = "30000", .unit = "milliseconds",
	  .sentence = "Wall clock of one run. A request may ask for less. "
		      "nginx waits longer than this: see "
		      "fastcgi_read_timeout in its configuration." },
	{ "limits", "memory_mb", OPTION_NUMBER, AT(limits.memory_mb),
	  RANGE(16, 1048576), .unset = "512", .unit = "megabytes",
	  .sentence = "Memory of one run, beyond the preloaded interpreter "
		      "and 16 MB that malloc(3) has ready. A request may ask "
		      "for less." },
	{ "limits", "threads", OPTION_NUMBER, AT(limits.threads),
	  RANGE(1, 4096), .unset = "32", .sentence = "Threads of one run." },
	{ "limits", "cpu_percent", OPTION_NUMBER, AT(limits.cpu_percent),
	  RANGE(1, 100000), .unset = "100", .unit = "percent",
	  .sentence = "Processor time of one run; 100 is one processor. "
		      "Needs a cgroup." },
	{ "limits", "home_mb", OPTION_NUMBER, AT(limits.home_mb),
	  RANGE(1, 65536), .unset = "256", .unit = "megabytes",
	  .sentence = "Size of the file system in memory that holds the "
		      "home directory and /tmp of one run." },
	{ "limits", "home_inodes", OPTION_NUMBER, AT(limits.home_inodes),
	  RANGE(64, 10000000), .unset = "10000",
	  .sentence = "Files and directories in it." },
	{ "limits", "open_files", OPTION_NUMBER, AT(limits.open_files),
	  RANGE(16, 4096), .unset = "64",
	  .sentence = "File descriptors of one run." },
	{ "limits", "output_kb", OPTION_NUMBER, AT(limits.output_kb),
	  RANGE(1, 1048576), .unset = "1024", .unit = "kilobytes",
	  .sentence = "How much of the standard output is kept, and of the "
		      "standard error." },
	{ "limits", "flood_mb", OPTION_NUMBER, AT(limits.flood_mb),
	  RANGE(1, 65536), .unset = "64", .unit = "megabytes",
	  .sentence = "How much may be printed in all, before the run is "
		      "stopped." },
	{ "limits", "value_kb", OPTION_NUMBER, AT(limits.value_kb),
	  RANGE(1, 1048576), .unset = "8192", .unit = "kilobytes",
	  .sentence = "JSON text of the final value." },
	{ "limits", "displays", OPTION_NUMBER, AT(limits.displays),
	  RANGE(0, 10000), .unset = "32", .zero = "none",
	  .sentence = "Figures and other rich values that are kept." },
	{ "limits", "displays_mb", OPTION_NUMBER, AT(limits.displays_mb),
	  RANGE(1, 4096), .unset = "32", .unit = "megabytes",
	  .sentence = "Their size in all." },
	{ "limits", "files_in", OPTION_NUMBER, AT(limits.files_in),
	  RANGE(0, 100000), .unset = "1000", .zero = "none",
	  .sentence = "Input files of one request." },
	{ "limits", "files_out", OPTION_NUMBER, AT(limits.files_out),
	  RANGE(0, 100000), .unset = "1000", .zero = "none",
	  .sentence = "Output files of one run." },
	{ "limits", "files_out_mb", OPTION_NUMBER, AT(limits.files_out_mb),
	  RANGE(1, 65536), .unset = "32", .unit = "megabytes",
	  .sentence = "Their size in all, with holes: as it is sent." },

	{ "guest", "preload", OPTION_MODULES, AT(preload), RANGE(0, 4000),
	  .unset = "numpy pandas matplotlib.pyplot",
	  .sentence = "What is imported before the first request, so that no "
		      "request pays for it; with guest.freeze twice, first "
		      "by a process that finds out what programs write of "
		      "it. Everything else that is installed can still be "
		      "imported." },
	{ "guest", "python_path", OPTION_PATHS, AT(python_path),
	  RANGE(0, 4000), .unset = "",
	  .sentence = "Directories with more Python packages: a virtual "
		      "environment's site-packages, for example." },
	{ "guest", "skeleton", OPTION_PATH, AT(skeleton),
	  RANGE(0, FILE_PATH_MAX), .unset = "",
	  .sentence = "Directory whose files lie in every home directory: a "
		      "matplotlibrc, a data set." },
	{ "guest", "freeze", OPTION_SWITCH, AT(freeze), .unset = "yes",
	  .sentence = "Map the preloaded interpreter from a file in memory, "
		      "what programs write of it side by side, which "
		      "makes a new guest several times faster." },

	{ "walls", "cgroups", OPTION_CHOICE, AT(cgroups), .unset = "require",
	  .words = want_words,
	  .sentence = "Limits on memory, processes and processor time by "
		      "cgroups, of version 2 or 1. With \"optional\", the "
		      "log says when they are missing." },
	{ "walls", "landlock", OPTION_CHOICE, AT(landlock),
	  .unset = "require", .words = want_words,
	  .sentence = "A second wall round the file system, by Landlock." },
	{ "walls", "cgroup_name", OPTION_NAME, AT(cgroup_name),
	  RANGE(1, 64), .unset = "terrarium",
	  .sentence = "Name of the cgroup that holds all the others." },
	{ "walls", "memory_percent", OPTION_NUMBER, AT(memory_percent),
	  RANGE(1, 100), .unset = "80", .unit = "percent",
	  .sentence = "Share that all programs together may have of the "
		      "host's memory, or of a limit on the server's own "
		      "cgroup where that is less. Lower leaves more to the "
		      "server and to others; higher lets more programs use "
		      "all that one may. Needs cgroups." },
	{ "walls", "uid_base", OPTION_NUMBER, AT(uid_base),
	  RANGE(100000, 4000000000), .unset = "1900000000",
	  .sentence = "First of a row of user ids, one more than twice the "
		      "workers, with pool.standby three times, and with "
		      "sessions one for each and eight, that nobody else on "
		      "this host uses. Only when started as root." },

	{ "log", "level", OPTION_CHOICE, AT(log_level), .unset = "info",
	  .words = log_level_names,
	  .sentence = "How much is told on standard error." },
};

const size_t options_count = ARRAY_LEN(options);
_Static_assert(ARRAY_LEN(options) <= OPTIONS_MAX, "raise OPTIONS_MAX");

const struct option_rule option_rules[] = {
	{ offsetof(struct conf, armed), offsetof(struct conf, workers), 1, 1,
	  false, "a waiting worker is one of them" },
	{ offsetof(struct conf, limits.output_kb),
	  offsetof(struct conf, limits.flood_mb), 1, 1024, false,
	  "what is kept must first be printed" },
	{ offsetof(struct conf, armed),
	  offsetof(struct conf, generation_forks), 1, 1, true,
	  "else a generation would end before it serves" },
};

const size_t option_rules_count = ARRAY_LEN(option_rules);

const struct option_row *options_find(const char *section, const char *name)
{
	for (size_t i = 0; i < options_count; i++)
		if (strcmp(options[i].section, section) == 0 &&
		    strcmp(options[i].name, name) == 0)
			return &options[i];
	return NULL;
}

const struct option_row *options_at(size_t offset)
{
	for (size_t i = 0; i < options_count; i++)
		if (options[i].offset == offset)
			return &options[i];
	return NULL;
}

bool options_has_section(const char *section)
{
	for (size_t i = 0; i < options_count; i++)
		if (strcmp(options[i].section, section) == 0)
			return true;
	return false;
}
