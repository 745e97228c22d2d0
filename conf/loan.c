/* loan - see loan.h. */
#include "loan.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/anon_pages.h"
#include "value.h"

/* Twice a file's length, because defaults are in no file. */
#define LOAN_TEXTS_MAX (2 * CONF_TEXT_MAX)

struct loan {
	struct conf conf;
	int rc;
	char error[CONF_ERROR_MAX];
	size_t used;
	char texts[LOAN_TEXTS_MAX];
};

/* Move the texts of the configuration into LOAN's pages. */
static int loan_move_texts(struct loan *loan)
{
	for (size_t i = 0; i < options_count; i++) {
		char **text = value_text_of(&options[i], &loan->conf);
		size_t size = text ? strlen(*text) + 1 : 0;

		if (!text)
			continue;
		if (size > sizeof(loan->texts) - loan->used)
			return -EFBIG;
		*text = memcpy(loan->texts + loan->used, *text, size);
		loan->used += size;
	}
	return 0;
}

/* Called in the child, which exits with all other memory of the reading. */
static int loan_fill(struct loan *loan, int fd)
{
	struct bytes text = {0};
	int rc = lseek(fd, 0, SEEK_SET) < 0
			 ? -errno : io_read_fd(fd, CONF_TEXT_MAX, &text);

	if (rc < 0) {
		snprintf(loan->error, CONF_ERROR_MAX,
			 "read the configuration: %s", log_errno(rc));
		return rc;
	}
	rc = conf_parse(&loan->conf, "configuration", text.data, text.size,
			loan->error);
	return rc < 0 ? rc : loan_move_texts(loan);
}

static int loan_wait(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECHILD;
}

int loan_read(int fd, struct loan **out, struct conf *conf,
	      char error[CONF_ERROR_MAX])
{
	struct loan *loan = anon_pages_open(sizeof(*loan), true);
	pid_t child = loan ? fork() : -1;

	*out = loan;
	snprintf(error, CONF_ERROR_MAX, "read the configuration");
	if (child < 0)
		return -errno;
	if (child == 0) {
		loan->rc = loan_fill(loan, fd);
		_exit(0);
	}
	int rc = loan_wait(child);

	if (rc == 0 && loan->rc < 0)
		snprintf(error, CONF_ERROR_MAX, "%s", loan->error);
	*conf = loan->conf;
	return rc < 0 ? rc : loan->rc;
}

void loan_drop(struct loan **loan, struct conf *conf)
{
	static char nothing[1];

	for (size_t i = 0; i < options_count; i++) {
		char **text = value_text_of(&options[i], conf);

		if (text)
			*text = nothing;
	}
	anon_pages_close(*loan, sizeof(**loan));
	*loan = NULL;
}

int loan_copy(struct loan **loan, struct conf *conf)
{
	struct conf copy = *conf;
	int rc = 0;

	for (size_t i = 0; i < options_count && rc == 0; i++) {
		char **text = value_text_of(&options[i], &copy);

		if (text && !(*text = strdup(*text)))
			rc = -ENOMEM;
	}
	loan_drop(loan, conf);
	if (rc == 0)
		*conf = copy;
	return rc;
}
