/* home_support - see home_support.h. */
#include "tests/unit/filesystem/home_support.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

int may_mount;
uid_t owner;
struct home home;
struct outcome outcome;
static int fds_before;

int home_set_up(void **state)
{
	(void)state;
	outcome = (struct outcome){0};
	home = (struct home){.fd = -1};
	fds_before = support_count_fds();
	const struct home_plan plan = {SIZE_MB, INODES, "/home/other"};

	return may_mount ? 0 : home_make(&home, &plan, owner);
}

/* Whatever a test did, no descriptor stays behind. */
int home_tear_down(void **state)
{
	(void)state;
	outcome_free(&outcome);
	home_free(&home);
	return support_count_fds() != fds_before;
}

/* ---- the enemy ------------------------------------------------------- */

/* In a child, as the guest's uid, in home: its exit status must be 0. */
struct deed {
	int (*act)(void);
	const char *dir;
};

static int do_deed(void *context)
{
	const struct deed *deed = context;

	umask(0);
	if (fchdir(home.fd) < 0 || chdir(deed->dir) < 0)
		return 100;
	if (setresgid(owner, owner, owner) < 0 ||
	    setresuid(owner, owner, owner) < 0)
		return 101;
	return deed->act();
}

void guest_does(int (*act)(void))
{
	struct deed deed = {act, "user"};

	assert_int_equal(support_in_child(do_deed, &deed), 0);
}

/* Make a file of SIZE times BYTE. */
bool fill(const char *name, size_t size, char byte)
{
	owned_fd int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	owned_free char *data = malloc(size + 1);

	if (fd < 0 || !data)
		return false;
	memset(data, byte, size);
	return write(fd, data, size) == (ssize_t)size;
}

bool put_text(const char *name, const char *text)
{
	owned_fd int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);

	return fd >= 0 &&
	       write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

/* ---- looking --------------------------------------------------------- */

void collect(const struct collect_known *known, size_t known_count,
	     size_t count, uint64_t bytes)
{
	const char *call = NULL;

	alarm(20); /* rather than block for ever */
	int rc = collect_files(&home, known, known_count, count, bytes,
			       &outcome, &call);

	alarm(0);
	assert_int_equal(rc, 0);
	for (size_t i = 0; i < outcome.files_count; i++) {
		struct stat st;

		assert_int_equal(fstat(outcome.files[i].fd, &st), 0);
		assert_true(S_ISREG(st.st_mode));
		assert_int_equal(st.st_size, outcome.files[i].size);
		assert_int_equal(fcntl(outcome.files[i].fd, F_GETFD),
				 FD_CLOEXEC);
	}
}

void collect_all(void)
{
	collect(NULL, 0, MANY, PLENTY);
}

void assert_names(const char *const *names, size_t count)
{
	for (size_t i = 0; i < count && i < outcome.files_count; i++)
		assert_string_equal(outcome.files[i].name, names[i]);
	assert_int_equal(outcome.files_count, count);
}

void assert_content(size_t i, const char *text)
{
	struct bytes content;

	assert_true(i < outcome.files_count);
	assert_int_equal(io_read_fd(outcome.files[i].fd, 1 << 20, &content),
			 0);
	assert_string_equal(content.data, text);
	free(content.data);
}

int home_tests(const char *name, const struct CMUnitTest *tests, size_t count)
{
	may_mount = -support_may_mount();
	owner = geteuid() == 0 ? 1000 : 0;
	return _cmocka_run_group_tests(name, tests, count, NULL, NULL);
}
