/*
 * test_loan - a configuration that a child reads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "conf/loan.h"
#include "sandbox/base/base.h"

#define SECRET_DIR "/of/the/host"

/* A file that says TEXT. */
static int file_of(const char *text)
{
	int fd = memfd_create("configuration", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static struct loan *borrow(struct conf *conf)
{
	owned_fd int fd = file_of("[server]\ncache_dir = " SECRET_DIR "\n"
				  "[pool]\nworkers = 7\n");
	char error[CONF_ERROR_MAX];
	struct loan *loan;

	assert_int_equal(loan_read(fd, &loan, conf, error), 0);
	return loan;
}

static void it_says_what_the_file_says(void **state)
{
	struct conf conf;
	struct loan *loan = borrow(&conf);

	(void)state;
	assert_int_equal(conf.workers, 7);
	assert_string_equal(conf.cache_dir, SECRET_DIR);
	assert_string_equal(conf.socket, "/run/terrarium/fastcgi.sock");
	assert_string_equal(conf.skeleton, "");
	loan_drop(&loan, &conf);
}

static void what_is_forgotten_is_empty(void **state)
{
	struct conf conf;
	struct loan *loan = borrow(&conf);

	(void)state;
	loan_drop(&loan, &conf);
	assert_null(loan);
	assert_int_equal(conf.workers, 7);
	assert_string_equal(conf.cache_dir, "");
	assert_string_equal(conf.socket, "");
}

static void what_is_owned_outlives_the_loan(void **state)
{
	struct conf conf;
	struct loan *loan = borrow(&conf);
	const char *lent = conf.cache_dir;

	(void)state;
	assert_int_equal(loan_copy(&loan, &conf), 0);
	assert_null(loan);
	assert_string_equal(conf.cache_dir, SECRET_DIR);
	assert_ptr_not_equal(conf.cache_dir, lent);
	conf_free(&conf);
}

static void a_mistake_is_told(void **state)
{
	owned_fd int fd = file_of("[pool]\nworkers = none\n");
	char error[CONF_ERROR_MAX];
	struct loan *loan;
	struct conf conf;

	(void)state;
	assert_int_equal(loan_read(fd, &loan, &conf, error), -EINVAL);
	assert_non_null(strstr(error, "configuration:2: pool.workers must be"));
	loan_drop(&loan, &conf);
	assert_int_equal(loan_read(-1, &loan, &conf, error), -EBADF);
	assert_non_null(strstr(error, "read the configuration: "));
	loan_drop(&loan, &conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_what_the_file_says),
		cmocka_unit_test(what_is_forgotten_is_empty),
		cmocka_unit_test(what_is_owned_outlives_the_loan),
		cmocka_unit_test(a_mistake_is_told),
	};

	return cmocka_run_group_tests_name("loan", tests, NULL, NULL);
}
