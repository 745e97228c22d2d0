/* check_preload - see check_preload.h. */
#include "check_preload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/python/interpreter.h"

#define CHECK_PRELOAD_TEXT_MAX 4096

/* In a child, because the interpreter changes its process: write the missing
 * modules, or an error, to OUT. It runs no code of guest.python_path, which is
 * trusted in a guest only. Returns the exit status. */
static int check_preload_child(const struct conf *conf, int out)
{
	char error[INTERPRETER_ERROR_MAX] = "";
	struct bytes absent = {0};
	int rc = interpreter_start(false, error);

	if (rc == 0)
		rc = interpreter_absent(conf->preload, conf->python_path,
					&absent, error);
	if (rc < 0)
		io_write_full(out, error, strlen(error));
	else
		io_write_full(out, absent.data, absent.size);
	free(absent.data);
	return rc < 0;
}

/* Read what the child writes; a longer text is cut. */
static void check_preload_read(int in, char said[CHECK_PRELOAD_TEXT_MAX])
{
	size_t used = 0;
	ssize_t n = 1;

	while (n > 0 && used < CHECK_PRELOAD_TEXT_MAX - 1) {
		n = read(in, said + used, CHECK_PRELOAD_TEXT_MAX - 1 - used);
		used += n > 0 ? (size_t)n : 0;
	}
	said[used] = '\0';
}

/* Returns the child's wait status or a negative errno value. */
static int check_preload_ask(const struct conf *conf,
			     char said[CHECK_PRELOAD_TEXT_MAX])
{
	int ends[2], status;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	owned_fd int in = ends[0], out = ends[1];

	fflush(stdout); /* it would be the child's, too */
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(check_preload_child(conf, out));
	base_release_fd(&out);
	check_preload_read(in, said);
	return waitpid(pid, &status, 0) < 0 ? -errno : status;
}

int check_preload(const struct conf *conf, char *text, size_t size)
{
	char said[CHECK_PRELOAD_TEXT_MAX] = "";
	int status = check_preload_ask(conf, said);

	if (status != 0) {
		snprintf(text, size, "Python cannot be asked: %.500s",
			 *said ? said : "its process died");
		return -ECHILD;
	}
	if (*said) {
		snprintf(text, size,
			 "modules of guest.preload that are not installed, "
			 "also not in guest.python_path: %.500s",
			 said);
		return -ENOENT;
	}
	snprintf(text, size, "all modules are installed: %.500s",
		 *conf->preload ? conf->preload : "none");
	return 0;
}
