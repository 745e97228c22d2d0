/* loan - see loan.h. */
#include "loan.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/anon_pages.h"
#include "value.h"

/* Defaults stand in no file. */
#define CONF_LOAN_TEXTS (2 * CONF_TEXT_MAX)

struct conf_loan {
	struct conf conf;
	int rc;
	char error[CONF_ERROR_MAX];
	size_t used;
	char texts[CONF_LOAN_TEXTS];
};

/* The texts of CONF move into LOAN's. */
static int conf_lend_texts(struct conf_loan *loan)
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

/* In the child, which ends with all that it has read. */
static int conf_lend(struct conf_loan *loan, int fd)
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
	return rc < 0 ? rc : conf_lend_texts(loan);
}

static int conf_wait(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -ECHILD;
}

int conf_borrow(int fd, struct conf_loan **out, struct conf *conf,
		char error[CONF_ERROR_MAX])
{
	struct conf_loan *loan = anon_pages_open(sizeof(*loan), true);
	pid_t child = loan ? fork() : -1;

	*out = loan;
	snprintf(error, CONF_ERROR_MAX, "read the configuration");
	if (child < 0)
		return -errno;
	if (child == 0) {
		loan->rc = conf_lend(loan, fd);
		_exit(0);
	}
	int rc = conf_wait(child);

	if (rc == 0 && loan->rc < 0)
		snprintf(error, CONF_ERROR_MAX, "%s", loan->error);
	*conf = loan->conf;
	return rc < 0 ? rc : loan->rc;
}

void conf_forget_texts(struct conf_loan **loan, struct conf *conf)
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

int conf_own_texts(struct conf_loan **loan, struct conf *conf)
{
	struct conf copy = *conf;
	int rc = 0;

	for (size_t i = 0; i < options_count && rc == 0; i++) {
		char **text = value_text_of(&options[i], &copy);

		if (text && !(*text = strdup(*text)))
			rc = -ENOMEM;
	}
	conf_forget_texts(loan, conf);
	if (rc == 0)
		*conf = copy;
	return rc;
}
