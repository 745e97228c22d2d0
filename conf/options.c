/*
 * options - the table of options, and the rules between them.
 *
 * A sentence tells the purpose of an option, and the effect of raising or
 * lowering it. Its kind describes the allowed values. Where 0 means "never" or
 * "none", the row says so, so that nothing becomes unlimited by accident.
 */
#include "options.h"

#include <string.h>

#include "sandbox/base/aliases.h"

#define AT(field) .offset = offsetof(struct conf, field)
#define RANGE(low, high) .min = (low), .max = (high)

#define SOCKET_PATH_MAX 107 /* size of sun_path without its NUL */
#define FILE_PATH_MAX 1024

static const char *const want_words[] = {
	[CONF_REQUIRE] = "require",
	[CONF_OPTIONAL] = "optional",
	[CONF_OFF] = "off",
	NULL,
};

static const char *const hash_seed_words[] = {
	[CONF_HASH_SEED_0] = "0",
	[CONF_HASH_SEED_RANDOM] = "random",
	NULL,
};

const struct option_row options[] = {
	{ "server", "socket", OPTION_PATH, AT(socket),
	  RANGE(1, SOCKET_PATH_MAX), .unset = "/run/terrarium/fastcgi.sock",
	  .fixed = true,
	  .sentence = "Unix socket on which nginx reaches the workers." },
	{ "server", "status_socket", OPTION_PATH, AT(status_socket),
	  RANGE(1, SOCKET_PATH_MAX), .unset = "/run/terrarium/status.sock",
	  .fixed = true,
	  .sentence = "Unix socket that answers /health, /status and "
		      "/metrics even when every worker is busy." },
	{ "server", "streams_socket", OPTION_PATH, AT(streams_socket),
	  RANGE(1, SOCKET_PATH_MAX), .unset = "/run/terrarium/streams.sock",
	  .fixed = true,
	  .sentence = "Unix socket for the streams of GET /sse, which hold no "
		      "worker. Where it is not set and "
		      "server.status_socket is, it lies beside that, with "
		      "streams in its name in place of status." },
	{ "server", "listen", OPTION_LISTEN, AT(listen), RANGE(0, 300),
	  .unset = "",
	  .fixed = true,
	  .sentence = "Internet addresses on which a web server reaches the "
		      "workers, too: for nginx on another host. FastCGI has "
		      "no encryption and no password: a client that reaches "
		      "such a port from server.allowed_clients runs code "
		      "without a token, and so does any user of this host "
		      "at a loopback address." },
	{ "server", "allowed_clients", OPTION_NETWORKS, AT(allowed_clients),
	  RANGE(1, 4000), .unset = "127.0.0.0/8 ::1",
	  .sentence = "Addresses from which server.listen takes connections. "
		      "Any other connection is closed before a byte of it "
		      "is read, and counted. When longer, more hosts can "
		      "run code." },
	{ "server", "socket_mode", OPTION_MODE, AT(socket_mode),
	  RANGE(0600, 0777), .unset = "0660",
	  .fixed = true,
	  .sentence = "Mode of both sockets. A user that can write to them "
		      "can run code without a token." },
	{ "server", "socket_group", OPTION_NAME, AT(socket_group),
	  RANGE(0, 32), .unset = "",
	  .fixed = true,
	  .sentence = "Group of both sockets: the group of nginx's workers, "
		      "www-data on Debian. Empty: the group of the server's "
		      "process." },
	{ "server", "backlog", OPTION_NUMBER, AT(backlog), RANGE(1, 65535),
	  .unset = "64", .unit = "connections",
	  .fixed = true,
	  .sentence = "Connections that may wait for a worker. When raised, "
		      "more requests wait through a burst, and longer. When "
		      "lowered, requests of a burst are told sooner to come "
		      "back later (503)." },
	{ "server", "pid_file", OPTION_PATH, AT(pid_file),
	  RANGE(0, FILE_PATH_MAX), .unset = "",
	  .fixed = true,
	  .sentence = "The master writes its process id to this file. Not "
		      "needed under systemd." },
	{ "server", "cache_dir", OPTION_PATH, AT(cache_dir),
	  RANGE(0, FILE_PATH_MAX), .unset = "",
	  .fixed = true,
	  .sentence = "Directory in which a start keeps files for the next "
		      "one: matplotlib's list of fonts, and with guest.layout "
		      "the list of objects that programs write. Empty: each "
		      "start makes them anew, and takes twice as long." },
	{ "server", "artifacts_dir", OPTION_PATH, AT(artifacts_dir),
	  RANGE(0, FILE_PATH_MAX), .unset = "",
	  .fixed = true,
	  .sentence = "Directory that keeps the code, input and output of "
		      "the last python-execute runs, for inspection, each "
		      "run under its id. Empty: nothing is kept." },
	{ "server", "artifacts_keep", OPTION_NUMBER, AT(artifacts_keep),
	  RANGE(1, 10000), .unset = "50", .unit = "runs",
	  .fixed = true,
	  .sentence = "Runs that server.artifacts_dir keeps. When raised, "
		      "it takes more disk. When lowered, older runs are "
		      "removed at the next run." },
	{ "server", "body_mb", OPTION_NUMBER, AT(body_mb), RANGE(1, 1024),
	  .unset = "100", .unit = "megabytes",
	  .sentence = "Largest body of a request. When raised, each worker "
		      "may hold more memory. When lowered, larger requests "
		      "get 413. Change client_max_body_size of nginx, too." },
	{ "server", "header_timeout_ms", OPTION_NUMBER,
	  AT(header_timeout_ms), RANGE(100, 600000), .unset = "5000",
	  .unit = "milliseconds",
	  .sentence = "How long a worker waits for the rest of a request "
		      "that has begun. When raised, a slow or broken web "
		      "server holds a worker longer. When lowered, slow "
		      "requests are dropped." },
	{ "server", "send_timeout_ms", OPTION_NUMBER, AT(send_timeout_ms),
	  RANGE(100, 3600000), .unset = "30000", .unit = "milliseconds",
	  .sentence = "How long a worker waits until nginx takes the next "
		      "piece of an answer. When raised, slow readers of "
		      "large answers hold workers longer. When lowered, "
		      "their answers break off sooner." },

	{ "pool", "workers", OPTION_NUMBER, AT(workers), RANGE(1, 512),
	  .unset = "16",
	  .fixed = true,
	  .sentence = "Programs that run at the same time. When raised, "
		      "more run at once, and need more memory and "
		      "processors. When lowered, requests wait sooner." },
	{ "pool", "armed", OPTION_NUMBER, AT(armed), RANGE(1, 512),
	  .unset = "4",
	  .sentence = "Workers that wait with a guest ready. When raised, a "
		      "larger burst starts without delay, and the workers "
		      "take more memory. When lowered, requests of a burst "
		      "wait for guests to be armed." },
	{ "pool", "client_percent", OPTION_NUMBER, AT(client_percent),
	  RANGE(1, 100), .unset = "50", .unit = "percent",
	  .fixed = true,
	  .sentence = "Share of the pool that one client, which is a "
		      "token's name, may hold while no other client asks. "
		      "Its further calls wait. When several clients hold "
		      "workers, each one's share is smaller, so that some "
		      "workers are left for the next client. When raised, a "
		      "busy client gets more workers and a new client "
		      "fewer. With 100, one client can make all others "
		      "wait." },
	{ "pool", "client_waiting", OPTION_NUMBER, AT(client_waiting),
	  RANGE(1, 1024), .unset = "64", .unit = "calls",
	  .fixed = true,
	  .sentence = "Calls of one client that may wait because the client "
		      "holds its share. When raised, a burst of a client "
		      "waits longer. When lowered, its further calls are "
		      "told sooner to come back later (503)." },
	{ "pool", "generation_age_s", OPTION_NUMBER, AT(generation_age_s),
	  RANGE(0, 31536000), .unset = "3600", .unit = "seconds",
	  .zero = "never",
	  .sentence = "Age at which a new preloaded interpreter, with "
		      "another address layout, replaces the present one. "
		      "When lowered, a leaked address is useful for a "
		      "shorter time, and starts take more processor time. "
		      "When raised, the reverse." },
	{ "pool", "generation_forks", OPTION_NUMBER, AT(generation_forks),
	  RANGE(0, 1000000000), .unset = "100000", .unit = "workers",
	  .zero = "never",
	  .sentence = "Workers that are forked from one preloaded "
		      "interpreter before a new one replaces it. When "
		      "lowered, guesses of an address layout get fewer "
		      "tries, and starts take more processor time. When "
		      "raised, the reverse." },
	{ "pool", "standby", OPTION_SWITCH, AT(standby), .unset = "yes",
	  .fixed = true,
	  .sentence = "Keep a second preloaded interpreter ready. With yes, "
		      "requests do not wait when the present one crashes, "
		      "is reloaded or reaches its age. It takes the memory "
		      "of a second one, which the log shows. It is prepared "
		      "while the pool is idle, or at a low priority. With "
		      "no, requests wait seconds for a new one after a "
		      "crash." },
	{ "pool", "start_stall_s", OPTION_NUMBER, AT(start_stall_s),
	  RANGE(1, 86400), .unset = "60", .unit = "seconds",
	  .fixed = true,
	  .sentence = "A start is aborted after so long without progress: "
		      "no step begins, and its processes use no processor "
		      "time. When raised, a start that hangs is noticed "
		      "later. When lowered, a slow disk may end a good "
		      "start. A start that advances is never aborted." },
	{ "pool", "stop_timeout_s", OPTION_NUMBER, AT(stop_timeout_s),
	  RANGE(1, 3600), .unset = "30", .unit = "seconds",
	  .fixed = true,
	  .sentence = "How long running programs may go on after a stop was "
		      "requested. When raised, a stop may take longer. When "
		      "lowered, it kills more programs." },

	{ "sessions", "max", OPTION_NUMBER, AT(sessions.max), RANGE(0, 256),
	  .unset = "auto", .zero = "none",
	  .automatic = "as many small ones, of 7 MB, as a tenth of the "
		       "machine's memory holds",
	  .fixed = true,
	  .sentence = "Sessions that live at the same time. A session keeps "
		      "a program's variables and files between calls. When "
		      "more are needed, one that was idle for "
		      "sessions.evict_after_s ends, or the call is told to "
		      "come back later (503). When raised, sessions take "
		      "more memory. When lowered, they end sooner." },
	{ "sessions", "per_client", OPTION_NUMBER, AT(sessions.per_client),
	  RANGE(0, 256), .unset = "0", .zero = "as many as sessions.max",
	  .fixed = true,
	  .sentence = "Sessions of one client, which is a token's name. "
		      "When sessions.max is reached, clients that have more "
		      "than an equal share lose idle ones first. When "
		      "lowered, a client's idle sessions end sooner." },
	{ "sessions", "idle_s", OPTION_NUMBER, AT(sessions.idle_s),
	  RANGE(1, 31536000), .unset = "3600", .unit = "seconds",
	  .fixed = true,
	  .sentence = "How long a session lives without a call. When "
		      "raised, idle sessions hold memory longer. When "
		      "lowered, clients lose their sessions sooner." },
	{ "sessions", "evict_after_s", OPTION_NUMBER,
	  AT(sessions.evict_after_s), RANGE(0, 31536000), .unset = "60",
	  .unit = "seconds", .zero = "not at all",
	  .fixed = true,
	  .sentence = "How long a session is safe after a call: it is not "
		      "ended to make room. When raised, new sessions are "
		      "refused (503) for longer while all are in use. When "
		      "lowered, users that pause lose theirs." },
	{ "sessions", "waiting", OPTION_NUMBER, AT(sessions.waiting),
	  RANGE(0, 64), .unset = "64", .zero = "none",
	  .fixed = true,
	  .sentence = "Calls that may wait for one session, each in a "
		      "worker. When raised, one session can hold more "
		      "workers. When lowered, further calls are told sooner "
		      "to come back later (503)." },
	{ "sessions", "snapshots", OPTION_SWITCH, AT(sessions.snapshots),
	  .unset = "yes",
	  .fixed = true,
	  .sentence = "Copy a session before each call. With yes, a call "
		      "that fails leaves the session unchanged, but each "
		      "call takes more time and memory. With no, a crash of "
		      "a call ends the session." },
	{ "sessions", "branches", OPTION_NUMBER, AT(sessions.branches),
	  RANGE(0, 16), .unset = "4", .zero = "none",
	  .fixed = true,
	  .sentence = "Sessions that may begin as a copy of one session and "
		      "share its files. When raised, one session can take "
		      "more memory. When lowered, further copies are "
		      "refused." },

	{ "limits", "timeout_ms", OPTION_NUMBER, AT(limits.timeout_ms),
	  RANGE(100, 3600000), .unset = "25000", .unit = "milliseconds",
	  .sentence = "Wall-clock time of one run. A request may ask for "
		      "less. When raised, a program that hangs holds its "
		      "worker longer, and clients may have given up before "
		      "they are answered: many wait for 30 s. When lowered, "
		      "long programs are ended. Change fastcgi_read_timeout "
		      "of nginx, too: it must be longer." },
	{ "limits", "memory_mb", OPTION_NUMBER, AT(limits.memory_mb),
	  RANGE(16, 1048576), .unset = "512", .unit = "megabytes",
	  .fixed = true,
	  .sentence = "Memory of one run, in addition to the preloaded "
		      "interpreter and 16 MB that malloc(3) holds ready. A "
		      "request may ask for less. When raised, fewer runs "
		      "fit into the host's memory. When lowered, programs "
		      "get MemoryError sooner." },
	{ "limits", "threads", OPTION_NUMBER, AT(limits.threads),
	  RANGE(1, 4096), .unset = "32",
	  .fixed = true,
	  .sentence = "Threads of one run. When raised, one program can "
		      "keep more processors busy. When lowered, some "
		      "libraries fail to start their threads." },
	{ "limits", "cpu_percent", OPTION_NUMBER, AT(limits.cpu_percent),
	  RANGE(1, 100000), .unset = "100", .unit = "percent",
	  .fixed = true,
	  .sentence = "Processor time of one run; 100 is one processor. "
		      "When raised, programs with threads run faster and "
		      "slow others down. When lowered, programs run slower. "
		      "Needs a cgroup." },
	{ "limits", "home_mb", OPTION_NUMBER, AT(limits.home_mb),
	  RANGE(1, 65536), .unset = "256", .unit = "megabytes",
	  .fixed = true,
	  .sentence = "Size of the file system in memory with the home "
		      "directory and /tmp of one run. When raised, a run "
		      "can take more memory. When lowered, programs find "
		      "their disk full sooner." },
	{ "limits", "home_inodes", OPTION_NUMBER, AT(limits.home_inodes),
	  RANGE(64, 10000000), .unset = "10000",
	  .sentence = "Files and directories in that file system. When "
		      "raised, a run can take more kernel memory. When "
		      "lowered, programs cannot create as many files." },
	{ "limits", "open_files", OPTION_NUMBER, AT(limits.open_files),
	  RANGE(16, 4096), .unset = "64",
	  .sentence = "File descriptors of one run. When raised, a run can "
		      "take more kernel memory. When lowered, programs fail "
		      "to open files sooner." },
	{ "limits", "output_kb", OPTION_NUMBER, AT(limits.output_kb),
	  RANGE(1, 1048576), .unset = "1024", .unit = "kilobytes",
	  .sentence = "Standard output that is kept, and standard error "
		      "likewise. When raised, answers may be larger. When "
		      "lowered, more output is cut off." },
	{ "limits", "flood_mb", OPTION_NUMBER, AT(limits.flood_mb),
	  RANGE(1, 65536), .unset = "64", .unit = "megabytes",
	  .sentence = "Output after which a run is stopped. When raised, a "
		      "program that prints without end takes more processor "
		      "time. When lowered, programs with much output are "
		      "ended." },
	{ "limits", "value_kb", OPTION_NUMBER, AT(limits.value_kb),
	  RANGE(1, 1048576), .unset = "8192", .unit = "kilobytes",
	  .sentence = "JSON text of the final value. When raised, answers "
		      "may be larger. When lowered, larger values are "
		      "replaced by their repr, cut." },
	{ "limits", "displays", OPTION_NUMBER, AT(limits.displays),
	  RANGE(0, 10000), .unset = "32", .zero = "none",
	  .sentence = "Figures and other rich values that are kept. When "
		      "raised, answers may be larger. When lowered, more "
		      "figures are dropped." },
	{ "limits", "displays_mb", OPTION_NUMBER, AT(limits.displays_mb),
	  RANGE(1, 4096), .unset = "32", .unit = "megabytes",
	  .sentence = "Total size of these rich values. When raised, "
		      "answers may be larger. When lowered, more figures "
		      "are dropped." },
	{ "limits", "files_in", OPTION_NUMBER, AT(limits.files_in),
	  RANGE(0, 100000), .unset = "1000", .zero = "none",
	  .sentence = "Input files of one request. When raised, a request "
		      "takes more time to prepare. When lowered, requests "
		      "with more files are refused." },
	{ "limits", "files_out", OPTION_NUMBER, AT(limits.files_out),
	  RANGE(0, 100000), .unset = "1000", .zero = "none",
	  .sentence = "Output files of one run. When raised, answers may "
		      "have more files. When lowered, further files are "
		      "left out." },
	{ "limits", "files_out_mb", OPTION_NUMBER, AT(limits.files_out_mb),
	  RANGE(1, 65536), .unset = "32", .unit = "megabytes",
	  .sentence = "Total size of the output files; holes count as "
		      "bytes. When raised, answers may be larger. When "
		      "lowered, further files are left out." },

	{ "doors", "code_interpreter_timeout_ms", OPTION_NUMBER,
	  AT(doors.code_interpreter_timeout_ms),
	  RANGE(100, 3600000), .unset = "120000", .unit = "milliseconds",
	  .sentence = "Wall-clock time of one call by the code "
		      "interpreter's paths, in place of limits.timeout_ms. "
		      "When raised, a program that hangs holds its session "
		      "and a worker longer. When lowered, long calls are "
		      "ended. Change fastcgi_read_timeout of nginx for "
		      "these paths, too: it must be longer." },

	{ "piston", "strict", OPTION_SWITCH, AT(piston_strict), .unset = "no",
	  .sentence = "Refuse a version of Python that is not this server's. "
		      "Without it, a request for 3.10.0 or another version "
		      "of Python 3 is run by the one there is, and the "
		      "answer tells its version; with it, clients that send "
		      "a version copied from an example get 400." },

	{ "snekbox", "strict", OPTION_SWITCH, AT(snekbox_strict),
	  .unset = "no",
	  .sentence = "Refuse each executable_path, with a sentence that it "
		      "does not exist. Without it, the path of any Python is "
		      "answered by the one there is." },
	{ "snekbox", "colors", OPTION_SWITCH, AT(snekbox_colors),
	  .unset = "no",
	  .sentence = "Set PYTHON_COLORS=1 for programs of /eval: from Python "
		      "3.13 on, tracebacks have ANSI colours, which the bot "
		      "of Python Discord shows. Other clients get escape "
		      "sequences in their text." },

	{ "guest", "preload", OPTION_MODULES, AT(preload), RANGE(0, 4000),
	  .unset = "numpy pandas matplotlib.pyplot",
	  .sentence = "Modules that are imported before the first request, "
		      "so that no request pays for their import. All "
		      "other installed modules can still be imported. "
		      "More modules make starts slower and take more "
		      "memory." },
	{ "guest", "python_path", OPTION_PATHS, AT(python_path),
	  RANGE(0, 4000), .unset = "",
	  .sentence = "Directories with more Python packages, searched before "
		      "those of the distribution: virtual environments, as "
		      "terrarium-packages makes them, or directories like "
		      "their site-packages." },
	{ "guest", "skeleton", OPTION_PATH, AT(skeleton),
	  RANGE(0, FILE_PATH_MAX), .unset = "",
	  .sentence = "Directory whose files are copied to every home "
		      "directory, such as a matplotlibrc or a data set." },
	{ "guest", "home_aliases", OPTION_ALIASES, AT(home_aliases),
	  RANGE(0, ALIASES_TEXT_MAX),
	  .unset = "/mnt/data:/workspace:/sandbox:/content:/home/earth",
	  .sentence = "Further paths that lead to the home directory, "
		      "because programs written for other sandboxes name "
		      "them. Each below /home costs a request one link; the "
		      "others cost nothing." },
	{ "guest", "freeze", OPTION_SWITCH, AT(freeze), .unset = "yes",
	  .sentence = "Map the preloaded interpreter from a file in memory, "
		      "which makes a new guest start several times faster. "
		      "With no, starts of the server are faster and each "
		      "request is slower." },
	{ "guest", "layout", OPTION_SWITCH, AT(layout), .unset = "yes",
	  .sentence = "With guest.freeze, group the objects that programs "
		      "write, so that each program copies less than half of "
		      "the pages. To find them, a start imports twice, unless "
		      "server.cache_dir has a list of them. With no, each "
		      "start imports once and each request is slower." },
	{ "guest", "hash_seed", OPTION_CHOICE, AT(hash_seed), .unset = "0",
	  .words = hash_seed_words,
	  .sentence = "Seed of Python's hashes of texts, which decide the "
		      "order of a set. With \"0\", a program that depends on "
		      "that order does the same in each run and after each "
		      "start. With \"random\", each start draws another, all "
		      "programs of a generation share it, and the runs of a "
		      "solver may differ." },
	{ "guest", "installing", OPTION_SWITCH, AT(installing), .unset = "no",
	  .sentence = "Say in the error of a missing module that packages are "
		      "being installed on this host. The first run sets it "
		      "until its last packages are there." },

	{ "walls", "cgroups", OPTION_CHOICE, AT(cgroups), .unset = "require",
	  .words = want_words,
	  .fixed = true,
	  .sentence = "Limit memory, processes and processor time by "
		      "cgroups, of version 2 or 1. With \"require\", the "
		      "server does not start without them. With "
		      "\"optional\", it starts and logs that they are "
		      "missing. With \"off\", resource limits alone bound a "
		      "guest." },
	{ "walls", "landlock", OPTION_CHOICE, AT(landlock),
	  .unset = "require", .words = want_words,
	  .fixed = true,
	  .sentence = "A second wall round the file system, by Landlock. "
		      "With \"require\", the server does not start without "
		      "it. With \"optional\", it starts and logs that it is "
		      "missing. With \"off\", the mounts alone bound a "
		      "guest's files." },
	{ "walls", "jit", OPTION_SWITCH, AT(jit), .unset = "no",
	  .sentence = "Let programs make machine code and run it, as numba "
		      "does. With no, numba's functions run as plain Python: "
		      "slower, with the same results. With yes, a program can "
		      "run any machine code without a trick, which makes a "
		      "hole of the kernel easier to use; SECURITY.md has the "
		      "walls that remain." },
	{ "walls", "cgroup_name", OPTION_NAME, AT(cgroup_name),
	  RANGE(1, 64), .unset = "terrarium",
	  .fixed = true,
	  .sentence = "Name of the cgroup that holds all the others. Each "
		      "server of a host needs a name of its own." },
	{ "walls", "memory_percent", OPTION_NUMBER, AT(memory_percent),
	  RANGE(1, 100), .unset = "80", .unit = "percent",
	  .fixed = true,
	  .sentence = "Share of the host's memory that all programs "
		      "together may use, or of the limit of the server's "
		      "own cgroup if that is lower. When raised, more "
		      "programs can use their full memory. When lowered, "
		      "more is left to the server and to other services. "
		      "Needs cgroups." },
	{ "walls", "uid_base", OPTION_NUMBER, AT(uid_base),
	  RANGE(100000, 4000000000), .unset = "1900000000",
	  .fixed = true,
	  .sentence = "First of the user ids that are reserved for the "
		      "server: 2 x pool.workers + 1, or 3 x pool.workers + "
		      "1 with pool.standby, and with sessions sessions.max "
		      "+ 8 more. No other user or server of the host may "
		      "have them. Used only when started as root." },

	{ "log", "level", OPTION_CHOICE, AT(log_level), .unset = "info",
	  .words = log_level_names,
	  .sentence = "Least important log lines on standard error. "
		      "\"debug\" logs most, \"error\" least." },
	{ "log", "access", OPTION_SWITCH, AT(access_log), .unset = "yes",
	  .sentence = "Log one line of JSON for each request that a worker "
		      "answers, at the level info. With no, slow runs alone "
		      "are logged." },
	{ "log", "slow_after_ms", OPTION_NUMBER, AT(slow_after_ms),
	  RANGE(0, 3600000), .unset = "10000", .unit = "milliseconds",
	  .zero = "never",
	  .sentence = "A run that takes longer is slow: its line has "
		      "\"slow\":true and the level warn, and a metric "
		      "counts it. While it goes on, another line says where "
		      "the program is. When lowered, more runs are slow." },
	{ "log", "file", OPTION_PATH, AT(log_file), RANGE(0, FILE_PATH_MAX),
	  .unset = "",
	  .fixed = true,
	  .sentence = "File to which log lines are added instead of standard "
		      "error. The signal USR1 opens it again, after it was "
		      "renamed. Errors of the master go to standard error, "
		      "too." },
	{ "log", "syslog", OPTION_PATH, AT(log_syslog),
	  RANGE(0, SOCKET_PATH_MAX), .unset = "",
	  .fixed = true,
	  .sentence = "Unix socket of a syslog, such as /dev/log, that gets "
		      "the log lines instead of standard error, as facility "
		      "daemon. With log.file both get them." },
	{ "log", "client_names", OPTION_SWITCH, AT(client_names),
	  .unset = "no",
	  .fixed = true,
	  .sentence = "Name clients in /metrics. With no, a client is a "
		      "number there, which the log tells; any local user can "
		      "read that page." },
};

const size_t options_count = ARRAY_LEN(options);
_Static_assert(ARRAY_LEN(options) <= OPTIONS_MAX, "raise OPTIONS_MAX");

const struct option_rule option_rules[] = {
	{ offsetof(struct conf, armed), offsetof(struct conf, workers), 1, 1,
	  false, "each armed worker is one of the workers" },
	{ offsetof(struct conf, limits.output_kb),
	  offsetof(struct conf, limits.flood_mb), 1, 1024, false,
	  "output must be printed before it is kept" },
	{ offsetof(struct conf, armed),
	  offsetof(struct conf, generation_forks), 1, 1, true,
	  "otherwise a generation would be replaced before it serves" },
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
