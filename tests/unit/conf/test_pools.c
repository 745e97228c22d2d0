/*
 * test_pools - the sections [pool NAME] of the option file.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf/pools.h"

static const char file[] = "[server]\n"
			   "socket = /run/x/fastcgi.sock\n"
			   "cache_dir = /var/c\n"
			   "[limits]\n"
			   "memory_mb = 100\n"
			   "timeout_ms = 5000\n"
			   "[pool www]\n"
			   "limits.memory_mb = 200\n"
			   "[pool b-1]\n"
			   "pool.workers = 5\n"
			   "server.socket = /run/y.sock\n"
			   "walls.uid_base = 200000\n";

/* Parse TEXT as pool NAME's, with its error. */
static int parse(const char *text, const char *name, struct conf *conf,
		 char error[CONF_ERROR_MAX])
{
	owned_free char *copy = strdup(text);

	assert_non_null(copy);
	pools_select(copy, strlen(copy), name);
	assert_int_equal(strlen(copy), strlen(text));
	return conf_parse(conf, "t.conf", copy, strlen(copy), error);
}

static void assert_refused(const char *text, const char *sentence)
{
	char error[CONF_ERROR_MAX];
	struct conf conf;

	assert_int_equal(conf_parse(&conf, "t.conf", text, strlen(text),
				    error), -EINVAL);
	conf_free(&conf);
	assert_string_equal(error, sentence);
}

static void all_are_found_once(void **state)
{
	static const char twice[] = "[pool a]\n [pool b]\n[pool a]\n[pool]\n";
	struct pools pools;

	(void)state;
	assert_int_equal(pools_find(file, strlen(file), &pools), 0);
	assert_int_equal(pools.count, 2);
	assert_string_equal(pools.names[0], "www");
	assert_string_equal(pools.names[1], "b-1");
	assert_int_equal(pools_find(twice, strlen(twice), &pools), 0);
	assert_int_equal(pools.count, 2);
	assert_int_equal(pools_find("", 0, &pools), 0);
	assert_int_equal(pools.count, 0);
}

static void a_pool_overrides_and_inherits(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf www, other;

	(void)state;
	assert_int_equal(parse(file, "www", &www, error), 0);
	assert_int_equal(parse(file, "b-1", &other, error), 0);
	assert_int_equal(www.limits.memory_mb, 200);
	assert_int_equal(other.limits.memory_mb, 100);
	assert_int_equal(www.limits.timeout_ms, 5000);
	assert_int_equal(www.workers, 16);
	assert_int_equal(other.workers, 5);
	conf_free(&www);
	conf_free(&other);
}

static void options_that_must_differ_do(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf www, other;

	(void)state;
	assert_int_equal(parse(file, "www", &www, error), 0);
	assert_int_equal(parse(file, "b-1", &other, error), 0);
	assert_string_equal(www.socket, "/run/x/www.sock");
	assert_string_equal(www.status_socket,
			    "/run/terrarium/www-status.sock");
	assert_string_equal(www.cgroup_name, "terrarium-www");
	assert_string_equal(www.cache_dir, "/var/c/www");
	assert_string_equal(www.pid_file, "");
	assert_true(www.uid_base >= 1900000000 + 4096);
	assert_int_equal((www.uid_base - 1900000000) % 4096, 0);
	assert_string_equal(other.socket, "/run/y.sock");
	assert_int_equal(other.uid_base, 200000);
	conf_free(&www);
	conf_free(&other);
}

static void mistakes_are_named(void **state)
{
	(void)state;
	assert_refused("[pool www]\nworkers = 3\n",
		       "t.conf:2: 'workers' is no option of a pool, which are "
		       "written with their section, as limits.timeout_ms = "
		       "25000");
	assert_refused("[pool www]\npool.workers = 3\npool.workers = 4\n",
		       "t.conf:3: pool.workers was already set in line 2");
	assert_refused("[pool www]\npool.workers = 0\n",
		       "t.conf:2: pool.workers must be a whole number from 1 "
		       "to 512, not '0'");
	assert_refused("[pool www]\n[log]\n",
		       "t.conf:2: [log] must stand before [pool www]");
	assert_refused("[pool a b]\n",
		       "t.conf:1: the name of a pool must be at most 32 "
		       "letters, digits, '_' and '-', as \"[pool www]\"");
	assert_refused("[pool ../x]\n",
		       "t.conf:1: the name of a pool must be at most 32 "
		       "letters, digits, '_' and '-', as \"[pool www]\"");
	assert_refused("[pool a]\n[pool b]\n",
		       "t.conf:2: [pool b] stands behind [pool a] of line 1: "
		       "choose one by its name, and give each a name of its "
		       "own");
	assert_refused("[pool]\nworkers = 2\narmed = 2\n[pool a]\n"
		       "pool.workers = 1\n",
		       "t.conf:5: pool.armed (2) must not be more than "
		       "pool.workers (1): each armed worker is one of the "
		       "workers");
}

static void a_name_that_does_not_fit_is_refused(void **state)
{
	char text[200];
	char error[CONF_ERROR_MAX];
	struct conf conf;

	(void)state;
	snprintf(text, sizeof(text), "[walls]\ncgroup_name = %.60s\n[pool a-b-c]\n",
		 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	assert_int_equal(conf_parse(&conf, "t.conf", text, strlen(text), error),
			 -ENAMETOOLONG);
	assert_non_null(strstr(error, "t.conf:3: the value of "
				      "walls.cgroup_name for this pool"));
	conf_free(&conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_are_found_once),
		cmocka_unit_test(a_pool_overrides_and_inherits),
		cmocka_unit_test(options_that_must_differ_do),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(a_name_that_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
