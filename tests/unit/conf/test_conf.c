/*
 * test_conf - the option file's grammar and values, and errors on mistakes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "conf/conf.h"
#include "conf/options.h"

#define LINE_FULL 4096 /* longest line that is taken */

/* Parse TEXT as "t.conf"; the result, and the sentence in ERROR. */
static int parse(const char *text, char error[CONF_ERROR_MAX])
{
	struct conf conf;
	int result = conf_parse(&conf, "t.conf", text, strlen(text), error);

	conf_free(&conf);
	return result;
}

static void assert_refused(const char *text, const char *sentence)
{
	char error[CONF_ERROR_MAX];

	assert_int_equal(parse(text, error), -EINVAL);
	assert_string_equal(error, sentence);
}

static void assert_taken(const char *text)
{
	char error[CONF_ERROR_MAX];

	if (parse(text, error))
		fail_msg("refused: %s", error);
	assert_string_equal(error, "");
}

/* The text that conf_print() writes for CONF; the caller frees it. */
static char *printed(const struct conf *conf)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	conf_print(conf, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* Each kind of value: a number, a switch, a choice and a text. */
static void test_names_what_only_a_restart_changes(void **state)
{
	static const char changed[] =
		"[server]\nlisten = tcp://127.0.0.1:9000\nbody_mb = 7\n"
		"[pool]\nworkers = 17\nstandby = no\n"
		"[walls]\ncgroups = off\n";
	struct conf conf, other;
	char text[CONF_ERROR_MAX];

	(void)state;
	assert_int_equal(conf_parse(&conf, "f", "", 0, text), 0);
	assert_int_equal(conf_parse(&other, "f", "", 0, text), 0);
	assert_false(conf_fixed_differ(&conf, &other, text));
	assert_string_equal(text, "");
	conf_free(&other);
	assert_int_equal(conf_parse(&other, "f", changed, strlen(changed),
				    text), 0);
	assert_true(conf_fixed_differ(&conf, &other, text));
	assert_string_equal(text, "server.listen, pool.workers, pool.standby, "
				  "walls.cgroups");
	conf_free(&other);
	conf_free(&conf);
}

static void test_defaults(void **state)
{
	struct conf conf;

	(void)state;
	assert_int_equal(conf_defaults(&conf), 0);
	assert_string_equal(conf.socket, "/run/terrarium/fastcgi.sock");
	assert_string_equal(conf.socket_group, "");
	assert_int_equal(conf.socket_mode, 0660);
	assert_int_equal(conf.workers, 16);
	assert_int_equal(conf.limits.timeout_ms, 25000);
	assert_int_equal(conf.doors.code_interpreter_timeout_ms, 120000);
	assert_int_equal(conf.limits.files_out_mb, 32);
	assert_string_equal(conf.preload, "numpy pandas matplotlib.pyplot");
	assert_true(conf.freeze);
	assert_int_equal(conf.cgroups, CONF_REQUIRE);
	assert_false(conf.jit);
	assert_int_equal(conf.uid_base, 1900000000);
	assert_int_equal(conf.log_level, LOG_LEVEL_INFO);
	conf_free(&conf);
	assert_null(conf.socket);
}

static const char all_kinds[] =
	"# a comment\n"
	"; another\r\n"
	"[pool]\r\n"
	"  workers\t=  12 \r\n"
	"armed=12\n"
	"generation_forks = 0\n"
	"\n"
	"[server]\n"
	"socket = /tmp/a b;c.sock\n"
	"socket_mode = 600\n"
	"socket_group = www-data\n"
	"[guest]\n"
	"freeze = no\n"
	"preload =\n"
	"python_path = /opt/a:/opt/b\n"
	"home_aliases = /srv/x:/home/y\n"
	"hash_seed = random\n"
	"[walls]\n"
	"landlock = off\n"
	"jit = yes\n"
	"[log]\n"
	"level = debug";

static void test_reads_every_kind(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf conf;

	(void)state;
	assert_int_equal(conf_parse(&conf, "t.conf", all_kinds,
				    strlen(all_kinds), error), 0);
	assert_int_equal(conf.workers, 12);
	assert_int_equal(conf.armed, 12);
	assert_int_equal(conf.generation_forks, 0);
	assert_string_equal(conf.socket, "/tmp/a b;c.sock");
	assert_int_equal(conf.socket_mode, 0600);
	assert_string_equal(conf.socket_group, "www-data");
	assert_false(conf.freeze);
	assert_string_equal(conf.preload, "");
	assert_string_equal(conf.python_path, "/opt/a:/opt/b");
	assert_string_equal(conf.home_aliases, "/srv/x:/home/y");
	assert_int_equal(conf.hash_seed, CONF_HASH_SEED_RANDOM);
	assert_int_equal(conf.landlock, CONF_OFF);
	assert_int_equal(conf.cgroups, CONF_REQUIRE);
	assert_true(conf.jit);
	assert_int_equal(conf.log_level, LOG_LEVEL_DEBUG);
	conf_free(&conf);
}

static void test_nothing_is_the_defaults(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf conf, other;
	char *a, *b;

	(void)state;
	assert_int_equal(conf_parse(&conf, "t.conf", "", 0, error), 0);
	assert_int_equal(conf_defaults(&other), 0);
	/* "auto" became a number, by this machine's memory */
	assert_in_range(conf.sessions.max, 8, 256);
	conf.sessions.max = other.sessions.max;
	a = printed(&conf);
	b = printed(&other);
	assert_string_equal(a, b);
	free(a);
	free(b);
	conf_free(&conf);
	conf_free(&other);
}

static void streams_follow_the_status(void **state)
{
	static const struct {
		const char *text, *path;
	} rows[] = {
		{"", "/run/terrarium/streams.sock"},
		{"[server]\nstatus_socket = /x/status.sock\n",
		 "/x/streams.sock"},
		{"[server]\nstatus_socket = /x/a-status.sock\n",
		 "/x/a-streams.sock"},
		{"[server]\nstatus_socket = /x/t\n", "/x/t.streams"},
		{"[server]\nstatus_socket = /x/t\nstreams_socket = /y/s\n",
		 "/y/s"},
	};
	char error[CONF_ERROR_MAX];
	struct conf conf;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(conf_parse(&conf, "f", rows[i].text,
					    strlen(rows[i].text), error), 0);
		assert_string_equal(conf.streams_socket, rows[i].path);
		conf_free(&conf);
	}
}

/* Each value alone in its section: refusals and their words. */
static const struct {
	const char *text, *sentence;
} mistakes[] = {
	{ "[pool]\nworkers = many\n",
	  "t.conf:2: pool.workers must be a whole number from 1 to 512, "
	  "not 'many'" },
	{ "[pool]\nworkers = 0\n",
	  "t.conf:2: pool.workers must be a whole number from 1 to 512, "
	  "not '0'" },
	{ "[limits]\n\ntimeout_ms = 99\n",
	  "t.conf:3: limits.timeout_ms must be a whole number of "
	  "milliseconds from 100 to 3600000, not '99'" },
	{ "[pool]\ngeneration_age_s = -1\n",
	  "t.conf:2: pool.generation_age_s must be a whole number of seconds "
	  "from 0 to 31536000 (0: never), not '-1'" },
	{ "[server]\nsocket_mode = 0668\n",
	  "t.conf:2: server.socket_mode must be an octal file mode from 0600 "
	  "to 0777, not '0668'" },
	{ "[guest]\nfreeze = 1\n",
	  "t.conf:2: guest.freeze must be yes or no, not '1'" },
	{ "[walls]\ncgroups = Require\n",
	  "t.conf:2: walls.cgroups must be one of require, optional, off, "
	  "not 'Require'" },
	{ "[server]\nsocket =\n",
	  "t.conf:2: server.socket must be an absolute path, at most 107 "
	  "bytes, not ''" },
	{ "[server]\npid_file = run/x\n",
	  "t.conf:2: server.pid_file must be an absolute path, at most 1024 "
	  "bytes, or nothing, not 'run/x'" },
	{ "[walls]\ncgroup_name = a/b\n",
	  "t.conf:2: walls.cgroup_name must be letters, digits, '_', after "
	  "the first also '.' and '-', at most 64 bytes, not 'a/b'" },
	{ "[walls]\ncgroup_name = ..\n",
	  "t.conf:2: walls.cgroup_name must be letters, digits, '_', after "
	  "the first also '.' and '-', at most 64 bytes, not '..'" },
	{ "[guest]\npreload = numpy, pandas\n",
	  "t.conf:2: guest.preload must be names of Python modules with "
	  "spaces between them, at most 4000 bytes, or nothing, not 'numpy, "
	  "pandas'" },
	{ "[guest]\npython_path = /a:b\n",
	  "t.conf:2: guest.python_path must be absolute paths with ':' "
	  "between them, at most 4000 bytes, or nothing, not '/a:b'" },
	{ "[guest]\nhome_aliases = /mnt/data:/usr/lib\n",
	  "t.conf:2: guest.home_aliases must be absolute paths with ':' "
	  "between them, in no directory of the system or another's, as "
	  "/mnt/data or /home/NAME, at most 500 bytes, or nothing, not "
	  "'/mnt/data:/usr/lib'" },
	{ "[pool]\nworker = 3\n",
	  "t.conf:2: unknown option 'worker' in [pool], which has: workers, "
	  "armed, client_percent, client_waiting, generation_age_s, "
	  "generation_forks, standby, start_stall_s, stop_timeout_s" },
	{ "workers = 3\n",
	  "t.conf:1: option 'workers' stands before any [section]" },
	{ "[pools]\n", "t.conf:1: unknown section [pools]" },
	{ "[pool] workers = 3\n",
	  "t.conf:1: a section must stand on a line alone, as \"[pool]\"" },
	{ "[pool\n",
	  "t.conf:1: a section must stand on a line alone, as \"[pool]\"" },
	{ "[pool]\nworkers = 9\n[log]\n[pool]\nworkers = 9\n",
	  "t.conf:5: pool.workers was already set in line 2" },
	{ "[pool]\n\nworkers\n",
	  "t.conf:3: neither \"[section]\" nor \"option = value\"" },
	{ "\xef\xbb\xbf[pool]\nworkers = 9\n",
	  "t.conf:1: neither \"[section]\" nor \"option = value\"" },
	{ "[pool]\nworkers = 9\n armed = 4 # few\n",
	  "t.conf:3: pool.armed must be a whole number from 1 to 512, not '4 "
	  "# few'" },
	{ "[pool]\nworkers = 9 ; few\n",
	  "t.conf:2: pool.workers must be a whole number from 1 to 512, "
	  "not '9 ; few'" },
	{ "[pool]\nworkers = 9\033[2J\n",
	  "t.conf:2: control byte in a line" },
	{ "[pool]\nworkers = 9\r0\n", "t.conf:2: control byte in a line" },
	{ "[pool]\nworkers = \xc3\xa4\n",
	  "t.conf:2: pool.workers must be a whole number from 1 to 512, "
	  "not '\?\?'" },
};

static void test_names_the_mistake(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++)
		assert_refused(mistakes[i].text, mistakes[i].sentence);
}

/* Texts that a careless reader takes for a number. */
static const char *const no_numbers[] = {
	"+5", "-5", "5.0", "5e0", "0x5", "5k", "5 5", "", "4294967301",
	"18446744073709551621", "99999999999999999999999999", "513", "0",
	"0b1", "1_0", "unlimited", "5\t6", "'5'", "\"5\"",
};

static void test_numbers_are_strict(void **state)
{
	char text[128], error[CONF_ERROR_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(no_numbers); i++) {
		snprintf(text, sizeof(text), "[pool]\nworkers = %s\n",
			 no_numbers[i]);
		assert_int_equal(parse(text, error), -EINVAL);
		assert_memory_equal(error, "t.conf:2: pool.workers must be",
				    30);
	}
	assert_taken("[pool]\nworkers = 512\n");
	assert_taken("[pool]\nworkers = 4\n");
	assert_taken("[pool]\nworkers = 0008\n");
}

/* Both ends of every number's range are taken, and no step beyond. */
static void test_ranges(void **state)
{
	(void)state;
	for (size_t i = 0; i < options_count; i++) {
		const struct option_row *row = &options[i];
		long long past[] = { (long long)row->min - 1,
				     (long long)row->max + 1 };
		char text[128], error[CONF_ERROR_MAX];

		if (row->kind != OPTION_NUMBER)
			continue;
		for (size_t k = 0; k < ARRAY_LEN(past); k++) {
			snprintf(text, sizeof(text), "[%s]\n%s = %lld\n",
				 row->section, row->name, past[k]);
			assert_int_equal(parse(text, error), -EINVAL);
			assert_non_null(strstr(error, row->name));
		}
	}
	assert_taken("[pool]\nworkers = 512\narmed = 512\n");
	assert_taken("[walls]\nuid_base = 4000000000\n");
	assert_taken("[limits]\nmemory_mb = 1048576\ndisplays = 0\n");
}

static void test_zero_has_a_meaning(void **state)
{
	(void)state;
	for (size_t i = 0; i < options_count; i++)
		if (options[i].kind == OPTION_NUMBER)
			assert_int_equal(options[i].min == 0,
					 options[i].zero != NULL);
}

static void test_rules_between_options(void **state)
{
	(void)state;
	assert_refused("[pool]\narmed = 9\nworkers = 8\n",
		       "t.conf:3: pool.armed (9) must not be more than "
		       "pool.workers (8): each armed worker is one of the "
		       "workers");
	assert_refused("[pool]\nworkers = 2\n",
		       "t.conf:2: pool.armed (4) must not be more than "
		       "pool.workers (2): each armed worker is one of the "
		       "workers");
	assert_refused("[limits]\nflood_mb = 1\noutput_kb = 1025\n",
		       "t.conf:3: limits.output_kb (1025) must not be more "
		       "than limits.flood_mb (1): output must be printed "
		       "before it is kept");
	assert_taken("[limits]\nflood_mb = 1\noutput_kb = 1024\n");
	assert_refused("[pool]\ngeneration_forks = 3\n",
		       "t.conf:2: pool.armed (4) must not be more than "
		       "pool.generation_forks (3): otherwise a generation "
		       "would be replaced before it serves");
	assert_taken("[pool]\ngeneration_forks = 0\n");
	assert_refused("[server]\nsocket = /a\nstatus_socket = /a\n",
		       "t.conf:3: server.socket and server.status_socket "
		       "must differ");
}

static void test_nul_bytes(void **state)
{
	static const char text[] = "[pool]\nworkers = 9\0\nbad\n";
	char error[CONF_ERROR_MAX];
	struct conf conf;

	(void)state;
	assert_int_equal(conf_parse(&conf, "t.conf", text, sizeof(text) - 1,
				    error), -EINVAL);
	assert_string_equal(error, "t.conf:2: control byte in a line");
	conf_free(&conf);
}

static void test_long_lines(void **state)
{
	char text[LINE_FULL + 64], error[CONF_ERROR_MAX];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[0] = '#';
	strcpy(text + LINE_FULL, "\n[pool]\nworkers = many\n");
	assert_int_equal(parse(text, error), -EINVAL);
	assert_memory_equal(error, "t.conf:3: pool.workers", 22);

	memset(text, 'x', sizeof(text));
	text[0] = '#';
	strcpy(text + LINE_FULL + 1, "\n[pool]\nworkers = 9\n");
	assert_refused(text, "t.conf:1: line of more than 4096 bytes");
}

static void test_long_values(void **state)
{
	char text[256];
	int head = sprintf(text, "[server]\nsocket = /");
	char *path = text + head;

	(void)state;
	memset(path, 'p', 106);
	strcpy(path + 106, "\n");
	assert_taken(text);
	strcpy(path + 106, "p\n");
	assert_refused(text, "t.conf:2: server.socket must be an absolute "
			     "path, at most 107 bytes, not '/ppppppppppppppppp"
			     "pppppppppppppppppppppppppppppp...'");
}

static void test_long_names_in_messages(void **state)
{
	char name[600], text[2000], error[CONF_ERROR_MAX];
	struct conf conf;

	(void)state;
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), "[limits]\n%s = %s\n", name, name);
	assert_int_equal(conf_parse(&conf, name, text, strlen(text), error),
			 -EINVAL);
	assert_true(strlen(error) < CONF_ERROR_MAX);
	assert_non_null(strstr(error, "n:2: unknown option 'nnn"));
	conf_free(&conf);
}

static void test_large_files(void **state)
{
	size_t size = CONF_TEXT_MAX + 1;
	char *text = malloc(size), error[CONF_ERROR_MAX];
	struct conf conf;

	(void)state;
	assert_non_null(text);
	memset(text, '\n', size);
	assert_int_equal(conf_parse(&conf, "t.conf", text, size - 1, error),
			 0);
	conf_free(&conf);
	assert_int_equal(conf_parse(&conf, "t.conf", text, size, error),
			 -EFBIG);
	assert_string_equal(error, "t.conf:1: file of more than 65536 bytes");
	conf_free(&conf);
	free(text);
}

static void test_modules(void **state)
{
	static const char *const bad[] = { "a.", ".a", "a..b", "1a", "a-b",
					   "a;b", "os.system('x')" };
	char text[128], error[CONF_ERROR_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		snprintf(text, sizeof(text), "[guest]\npreload = %s\n",
			 bad[i]);
		assert_int_equal(parse(text, error), -EINVAL);
	}
	assert_taken("[guest]\npreload = a  b.c_d2 _e\n");
}

/* A printed file reads back as it was printed, whatever it held. */
static void test_prints_what_it_reads(void **state)
{
	char error[CONF_ERROR_MAX];
	struct conf conf, again;
	char *first, *second;

	(void)state;
	assert_int_equal(conf_parse(&conf, "t.conf", all_kinds,
				    strlen(all_kinds), error), 0);
	first = printed(&conf);
	assert_non_null(strstr(first, "\nworkers = 12\n"));
	assert_non_null(strstr(first, "\nsocket_mode = 0600\n"));
	assert_non_null(strstr(first, "\npreload =\n"));
	assert_int_equal(conf_parse(&again, "t.conf", first, strlen(first),
				    error), 0);
	second = printed(&again);
	assert_string_equal(first, second);
	free(first);
	free(second);
	conf_free(&conf);
	conf_free(&again);
}

static void test_prints_narrow_lines(void **state)
{
	struct conf conf;
	char *text, *rest, *line;

	(void)state;
	assert_int_equal(conf_defaults(&conf), 0);
	text = rest = printed(&conf);
	while ((line = strsep(&rest, "\n"))) {
		size_t size = strlen(line);

		assert_true(size <= 78);
		assert_true(!size || line[size - 1] != ' ');
	}
	free(text);
	conf_free(&conf);
}

/* The file that is installed is the printed defaults, byte for byte. It is
 * looked for under $TERRARIUM_SOURCE, or here. */
static void test_installed_file(void **state)
{
	const char *root = getenv("TERRARIUM_SOURCE");
	char path[1024], stored[CONF_TEXT_MAX + 1];
	struct conf conf;
	char *text;
	FILE *file;
	size_t size;

	(void)state;
	snprintf(path, sizeof(path), "%s/conf/terrarium.conf",
		 root ? root : ".");
	file = fopen(path, "r");
	assert_non_null(file);
	size = fread(stored, 1, CONF_TEXT_MAX, file);
	stored[size] = '\0';
	fclose(file);
	assert_int_equal(conf_defaults(&conf), 0);
	text = printed(&conf);
	assert_string_equal(text, stored);
	free(text);
	conf_free(&conf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_names_what_only_a_restart_changes),
		cmocka_unit_test(test_reads_every_kind),
		cmocka_unit_test(test_nothing_is_the_defaults),
		cmocka_unit_test(streams_follow_the_status),
		cmocka_unit_test(test_names_the_mistake),
		cmocka_unit_test(test_numbers_are_strict),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_zero_has_a_meaning),
		cmocka_unit_test(test_rules_between_options),
		cmocka_unit_test(test_nul_bytes),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_long_values),
		cmocka_unit_test(test_long_names_in_messages),
		cmocka_unit_test(test_large_files),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_prints_what_it_reads),
		cmocka_unit_test(test_prints_narrow_lines),
		cmocka_unit_test(test_installed_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
