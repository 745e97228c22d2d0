/*
 * test_debian - the versions of the distribution's packages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/base/base.h"
#include "sandbox/python/debian.h"

#define OK "Status: install ok installed\n"

static const char status_text[] =
	"Package: python3-mpmath\n" OK "Version: 1.2.1-2\n\n"
	"Package: nginx\n" OK "Version: 1.22.1-9\n\n"
	"Package: python3-gone\nStatus: deinstall ok config-files\n"
	"Version: 1\n\n"
	"Package: python3-held\nStatus: hold ok installed\nVersion: 2:3-4\n\n"
	"Package: python3-odd\n" OK "Description: of Version: 9\n"
	" Version: 8\n\n\n"
	"Version: 7\n" OK "\n"
	"Package: python3-last\n" OK "Version: 5";

static void read_text(const char *text, struct bytes *out)
{
	char path[] = "/tmp/test_debian.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	assert_int_equal(debian_versions(path, out), 0);
	unlink(path);
}

static void installed_packages_of_python_are_listed(void **state)
{
	struct bytes out;

	(void)state;
	read_text(status_text, &out);
	assert_string_equal(out.data, "mpmath 1.2.1-2\nheld 2:3-4\nlast 5\n");
	assert_int_equal(out.size, strlen(out.data));
	free(out.data);
}

static void a_name_that_is_too_long_is_left_out(void **state)
{
	char text[2000], name[1000];
	struct bytes out;

	(void)state;
	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text),
		 "Package: python3-%s\n" OK "Version: 1\n\n"
		 "Package: python3-a\nVersion: 2\n" OK, name);
	read_text(text, &out);
	assert_string_equal(out.data, "a 2\n");
	free(out.data);
}

static void another_distribution_has_none(void **state)
{
	struct bytes out;

	(void)state;
	assert_int_equal(debian_versions("/no/such/file", &out), 0);
	assert_int_equal(out.size, 0);
	free(out.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(installed_packages_of_python_are_listed),
		cmocka_unit_test(a_name_that_is_too_long_is_left_out),
		cmocka_unit_test(another_distribution_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
