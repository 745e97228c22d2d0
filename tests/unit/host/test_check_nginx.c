/* test_check_nginx - nginx's files beside a configuration: users that can and
 * cannot open the sockets, limits that agree and do not. */
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf/conf.h"
#include "fcgi/host/check_nginx.h"

#define SIZE 700

static char tree[] = "/tmp/test_check_nginx.XXXXXX";

static void write_file(const char *name, const char *text)
{
	char path[200];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", tree, name);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static int set_up(void **state)
{
	char path[200];

	(void)state;
	assert_non_null(mkdtemp(tree));
	assert_int_equal(chmod(tree, 0755), 0);
	snprintf(path, sizeof(path), "%s/sites-enabled", tree);
	return mkdir(path, 0755);
}

static int clean_up(void **state)
{
	static const char *const names[] = {"sites-enabled/site", "nginx.conf",
					    "sites-enabled", ""};
	char path[200];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", tree, names[i]);
		remove(path);
	}
	return 0;
}

/* A configuration with its socket in TREE, of mode MODE. */
static void configure(struct conf *conf, unsigned mode)
{
	char path[200];

	assert_int_equal(conf_defaults(conf), 0);
	snprintf(path, sizeof(path), "%s/s.sock", tree);
	free(conf->socket);
	conf->socket = strdup(path);
	conf->socket_mode = mode;
}

/* nobody is in no group of root's, and `root` may do all. */
static void test_user(void **state)
{
	static const struct {
		const char *text;
		unsigned mode;
		int fits;
		const char *says;
	} rows[] = {
		{"user root;\n", 0600, 1, "root of "},
		{"events { }\n user nobody;\n", 0666, 1, "nobody of "},
		{"user nobody nogroup;\n", 0660, 0, "server.socket_group"},
		{"# user root;\nuser nobody;\n", 0660, 0, "nobody of "},
		{"", 0660, 0, "nobody of "},
		{"user no-such-user;\n", 0666, 0, "no user no-such-user"},
	};
	char text[SIZE];

	(void)state;
	if (geteuid() != 0)
		skip();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct conf conf;

		write_file("nginx.conf", rows[i].text);
		configure(&conf, rows[i].mode);
		assert_int_equal(check_nginx_user(tree, &conf, text, SIZE),
				 rows[i].fits);
		if (!strstr(text, rows[i].says))
			fail_msg("%zu: %s", i, text);
		conf_free(&conf);
	}
}

static void test_closed_directory(void **state)
{
	struct conf conf;
	char text[SIZE];

	(void)state;
	if (geteuid() != 0)
		skip();
	write_file("nginx.conf", "user nobody;\n");
	configure(&conf, 0666);
	assert_int_equal(chmod(tree, 0700), 0);
	assert_int_equal(check_nginx_user(tree, &conf, text, SIZE), 0);
	assert_non_null(strstr(text, "may not enter"));
	assert_int_equal(chmod(tree, 0755), 0);
	conf_free(&conf);
}

static void test_no_nginx(void **state)
{
	struct conf conf;
	char text[SIZE];

	(void)state;
	configure(&conf, 0600);
	assert_int_equal(check_nginx_user("/none", &conf, text, SIZE), 1);
	assert_int_equal(check_nginx_limits("/none", &conf, text, SIZE), 1);
	assert_non_null(strstr(text, "no file below /none"));
	conf_free(&conf);
}

static void test_limits(void **state)
{
	static const struct {
		const char *text;
		int fits;
		const char *says;
	} rows[] = {
		{"client_max_body_size 100m; location / {\n"
		 "client_max_body_size 1k; fastcgi_read_timeout 5s; }\n"
		 "fastcgi_read_timeout 265s;", 1, " fit"},
		{"client_max_body_size 102400K;", 1, " fit"},
		{"client_max_body_size 10m;", 0, "server.body_mb = 100"},
		{"client_max_body_size 1g;", 0, "server.body_mb = 100"},
		{"fastcgi_read_timeout 60;", 0, "60 s at most"},
		{"#client_max_body_size 1m;\n# fastcgi_read_timeout 1s;", 1,
		 " fit"},
		{"", 1, " fit"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[SIZE], site[400];
		struct conf conf;

		configure(&conf, 0660);
		snprintf(site, sizeof(site),
			 "server { fastcgi_pass unix:%s;\n%s }\n", conf.socket,
			 rows[i].text);
		write_file("sites-enabled/site", site);
		if (check_nginx_limits(tree, &conf, text, SIZE) !=
			    rows[i].fits ||
		    !strstr(text, rows[i].says))
			fail_msg("%zu: %s", i, text);
		conf_free(&conf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_user),
		cmocka_unit_test(test_closed_directory),
		cmocka_unit_test(test_no_nginx),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, set_up, clean_up);
}
