/* check_host - see check_host.h; SECURITY.md has the list for operators. */
#include "check_host.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"

#define CHECK_HOST_TEXT_MAX (64u << 10)
#define CHECK_HOST_NAMES_MAX 300
#define CHECK_HOST_CPU "sys/devices/system/cpu/vulnerabilities"

struct check_host_row {
	const char *path; /* below the root */
	const char *name; /* as in sysctl(8), or a description */
	bool (*good)(const struct check_host_row *row, const char *text);
	/* Texts for a bad and a good value; NULL: print the number. */
	const char *is[2];
	unsigned numbers; /* bit N: the number N is good */
	const char *wanted;
	const char *cost; /* of the present value, if it is bad */
	/* the meaning of a missing file; NULL: then nothing can be switched
	 * off */
	const char *absent;
};

#define NUMBER(n) (1u << (n))

/* The good numbers: one value, or one of two. */
#define CHECK_IS(a) check_host_number, {NULL, NULL}, NUMBER(a), #a
#define CHECK_IS_ONE_OF(a, b)                                                \
	check_host_number, {NULL, NULL}, NUMBER(a) | NUMBER(b), #a " or " #b

static bool check_host_number(const struct check_host_row *row,
			      const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	return isdigit((unsigned char)*text) && value < 32 &&
	       (*end == '\0' || *end == '\n') &&
	       (row->numbers & NUMBER(value));
}

static bool check_host_no_pipe(const struct check_host_row *row,
			       const char *text)
{
	(void)row;
	return *text != '|';
}

/* The first line is a heading. */
static bool check_host_no_entry(const struct check_host_row *row,
				const char *text)
{
	const char *end = strchr(text, '\n');

	(void)row;
	return !end || end[1] == '\0';
}

/* To check another setting, add a row. */
static const struct check_host_row check_host_rows[] = {
	{"proc/sys/kernel/io_uring_disabled", "kernel.io_uring_disabled",
	 CHECK_IS_ONE_OF(1, 2),
	 "any local user has io_uring: a filter of system calls cannot see its "
	 "work, and it has had many vulnerabilities",
	 "before Linux 6.6 io_uring cannot be switched off"},
	{"proc/sys/kernel/unprivileged_bpf_disabled",
	 "kernel.unprivileged_bpf_disabled", CHECK_IS_ONE_OF(1, 2),
	 "any local user can load programs into the kernel", NULL},
	{"proc/sys/vm/unprivileged_userfaultfd", "vm.unprivileged_userfaultfd",
	 CHECK_IS(0),
	 "any local user can stop the kernel in the middle of a copy, and so "
	 "win its races easily",
	 NULL},
	{"proc/sys/kernel/kptr_restrict", "kernel.kptr_restrict",
	 CHECK_IS_ONE_OF(1, 2),
	 "files of /proc may show the addresses of kernel code", NULL},
	{"proc/sys/kernel/dmesg_restrict", "kernel.dmesg_restrict", CHECK_IS(1),
	 "any local user can read the kernel's log, with addresses and facts "
	 "about other processes",
	 NULL},
	{"proc/sys/kernel/randomize_va_space", "kernel.randomize_va_space",
	 CHECK_IS(2), "a new generation has the same addresses as the old one",
	 NULL},
	{"proc/sys/dev/tty/legacy_tiocsti", "dev.tty.legacy_tiocsti",
	 CHECK_IS(0),
	 "a process on an operator's terminal can insert input there",
	 "before Linux 6.2 TIOCSTI cannot be switched off"},
	{"proc/sys/fs/protected_symlinks", "fs.protected_symlinks", CHECK_IS(1),
	 "a local user's links in /tmp can redirect other users' programs",
	 NULL},
	{"proc/sys/fs/protected_hardlinks", "fs.protected_hardlinks",
	 CHECK_IS(1),
	 "a local user can keep another user's file by a hard link, such as an "
	 "outdated set-id program",
	 NULL},
	{"proc/sys/fs/protected_fifos", "fs.protected_fifos",
	 CHECK_IS_ONE_OF(1, 2),
	 "a local user's pipe in /tmp can stand where a program expects its "
	 "own file",
	 NULL},
	{"proc/sys/fs/protected_regular", "fs.protected_regular",
	 CHECK_IS_ONE_OF(1, 2),
	 "a local user's file in /tmp can stand where a program expects its "
	 "own",
	 NULL},
	{"proc/sys/fs/suid_dumpable", "fs.suid_dumpable", CHECK_IS(0),
	 "a crash of a process that has changed its user can leave its memory "
	 "on disk",
	 NULL},
	{"proc/sys/debug/exception-trace", "debug.exception-trace", CHECK_IS(0),
	 "each crash of a guest writes lines to the kernel's log, and clients "
	 "can make guests crash again and again",
	 NULL},
	{"proc/sys/kernel/core_pattern",
	 "kernel.core_pattern",
	 check_host_no_pipe,
	 {"a pipe", "no pipe"},
	 0,
	 "a file's name",
	 "a limit on the size of cores does not hold for pipes, so only the "
	 "missing dumpable flag keeps a guest's crash from starting a program "
	 "as root",
	 NULL},
	{"proc/swaps",
	 "swap",
	 check_host_no_entry,
	 {"on", "off"},
	 0,
	 "off",
	 "a guest's data can stay on disk long after its end, and its memory "
	 "becomes slow before it reaches its limit",
	 NULL},
	{"sys/kernel/mm/ksm/run", "KSM (/sys/kernel/mm/ksm/run)",
	 CHECK_IS_ONE_OF(0, 2),
	 "equal pages are merged, and the time of a write shows which pages "
	 "other processes hold",
	 NULL},
};

static void check_host_print(FILE *out, const char *verdict, const char *name)
{
	fprintf(out, "%-7s host            %s", verdict, name);
}

static void check_host_missing(const struct check_host_row *row, int rc,
			       FILE *out)
{
	if (rc == -ENOENT && !row->absent)
		return;
	check_host_print(out, "unknown", row->name);
	fprintf(out, " %s: %s\n",
		rc == -ENOENT ? "is not known to this kernel"
			      : "cannot be read",
		rc == -ENOENT ? row->absent : log_errno(rc));
}

static unsigned check_host_setting(const struct check_host_row *row, int root,
				   FILE *out)
{
	struct bytes text;
	int rc = io_read_file(root, row->path, CHECK_HOST_TEXT_MAX, &text);

	if (rc < 0) {
		check_host_missing(row, rc, out);
		return 0;
	}
	bool good = row->good(row, text.data);
	const char *is = row->is[good];

	check_host_print(out, good ? "ok" : "advice", row->name);
	fprintf(out, " is %.*s",
		is ? (int)strlen(is) : (int)strcspn(text.data, "\n"),
		is ? is : text.data);
	if (!good)
		fprintf(out, "; better %s: %s", row->wanted, row->cost);
	fputc('\n', out);
	free(text.data);
	return !good;
}

/* Does the kernel report the processor's vulnerability NAME as open? */
static bool check_host_is_vulnerable(int dir, const char *name)
{
	static const char open[] = "Vulnerable";
	struct bytes text;

	if (io_read_file(dir, name, CHECK_HOST_TEXT_MAX, &text) < 0)
		return false;
	bool found = strncmp(text.data, open, sizeof(open) - 1) == 0;

	free(text.data);
	return found;
}

/* List all vulnerabilities that are open. */
static unsigned check_host_processor(int root, FILE *out)
{
	char names[CHECK_HOST_NAMES_MAX] = "";
	size_t size = 0;
	owned_fd int fd = openat(root, CHECK_HOST_CPU,
				 O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir)
		return 0;
	int held = take_fd(&fd);

	for (struct dirent *at = readdir(dir); at; at = readdir(dir))
		if (check_host_is_vulnerable(held, at->d_name) &&
		    size + strlen(at->d_name) + 2 < sizeof(names))
			size += (size_t)snprintf(names + size,
						 sizeof(names) - size, " %s",
						 at->d_name);
	closedir(dir);
	check_host_print(out, size ? "advice" : "ok", "the processor");
	fprintf(out,
		size ? " has open vulnerabilities (%s): a guest may read "
		       "other processes' data by timing\n"
		     : " has no open vulnerability according to the kernel\n",
		names + (size > 0));
	return size > 0;
}

unsigned check_host(const char *root, FILE *out)
{
	owned_fd int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	unsigned advice = 0;

	for (size_t i = 0; i < ARRAY_LEN(check_host_rows); i++)
		advice += check_host_setting(&check_host_rows[i], dir, out);
	return advice + check_host_processor(dir, out);
}
