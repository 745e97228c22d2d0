/*
 * conf - reads, checks and prints the configuration file.
 *
 * libinih parses the syntax. But it cuts long lines, ignores the text after a
 * "]", and does not report a section without options. So each line is checked
 * here before inih gets it. A file is accepted as a whole only: the first error
 * ends the reading.
 */
#include "conf.h"
#include "options.h"
#include "pools.h"
#include "value.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/base/io.h"

#define CONF_LINE_MAX 4096 /* longest line, bytes */
#define CONF_SHOWN_MAX 48 /* longest part of a bad value in a message */
#define CONF_SESSIONS_LEAST 8 /* however small the machine is */
#define CONF_SESSIONS_PART 10 /* sessions get one part of so many */
#define CONF_COLUMNS 78    /* where a printed comment wraps */

/* The state of reading one file. */
struct conf_reading {
	struct conf *conf;
	const char *name;
	const char *text;
	size_t size, at;
	unsigned line; /* number of the last line that was read, from 1 */
	unsigned seen[OPTIONS_MAX]; /* line of each option, or 0 */
	char pool[POOLS_NAME_MAX]; /* of the section [pool NAME]; "": none */
	unsigned pool_line; /* where it begins */
	char *error;
	int result; /* sticky: the first error */
};

/* Set the first error. Returns 0, which stops inih. */
static int conf_fail(struct conf_reading *reading, int result, unsigned line,
		     const char *fmt, ...) PRINTF_LIKE(4, 5);

static int conf_fail(struct conf_reading *reading, int result, unsigned line,
		     const char *fmt, ...)
{
	va_list args;
	int used;

	if (reading->result)
		return 0;
	reading->result = result;
	used = snprintf(reading->error, CONF_ERROR_MAX, "%.200s:%u: ",
			reading->name, line);
	va_start(args, fmt);
	vsnprintf(reading->error + used, CONF_ERROR_MAX - (size_t)used, fmt,
		  args);
	va_end(args);
	return 0;
}

/* TEXT for an error message: short, printable, with "..." where it is cut. */
static const char *conf_shown(const char *text,
			      char shown[CONF_SHOWN_MAX + 4])
{
	size_t i;

	for (i = 0; i < CONF_SHOWN_MAX && text[i]; i++) {
		bool plain = text[i] >= ' ' && text[i] <= '~';

		shown[i] = (char)(plain ? text[i] : '?');
	}
	memcpy(shown + i, text[i] ? "..." : "\0\0\0", 4);
	return shown;
}

/* A line may have tabs, and a carriage return at its end, but no other control
 * byte: it could end the line early or hide the rest. */
static bool conf_is_text(const char *line, size_t size)
{
	if (size && line[size - 1] == '\r')
		size--;
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)line[i];

		if ((c < ' ' && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

/* A file that conf_parse() reads has one pool at most, as pools_read() leaves
 * it. Returns false after an error. */
static bool conf_begin_section(struct conf_reading *reading, const char *name)
{
	char pool[POOLS_NAME_MAX], shown[CONF_SHOWN_MAX + 4];
	const int rc = pools_section(name, pool);

	if (rc == 0 && reading->pool_line && options_has_section(name))
		return conf_fail(reading, -EINVAL, reading->line,
				 "[%s] must stand before [pool %s]", name,
				 reading->pool);
	if (rc == 0 && options_has_section(name))
		return true;
	if (rc == 0)
		return conf_fail(reading, -EINVAL, reading->line,
				 "unknown section [%s]",
				 conf_shown(name, shown));
	if (rc < 0)
		return conf_fail(reading, -EINVAL, reading->line,
				 "the name of a pool must be at most %d "
				 "letters, digits, '_' and '-', as \"[pool "
				 "www]\"",
				 POOLS_NAME_MAX - 1);
	if (reading->pool_line)
		return conf_fail(reading, -EINVAL, reading->line,
				 "[pool %s] stands behind [pool %s] of line "
				 "%u: choose one by its name, and give each a "
				 "name of its own",
				 pool, reading->pool, reading->pool_line);
	reading->pool_line = reading->line;
	memcpy(reading->pool, pool, sizeof(pool));
	return true;
}

/* If LINE, which is NUL-terminated, begins like a section, it must be
 * "[SECTION]" and nothing else. */
static bool conf_check_section(struct conf_reading *reading, char *line)
{
	char *name = line + strspn(line, " \t");
	size_t size;

	if (*name++ != '[')
		return true;
	size = strcspn(name, "]");
	if (!name[size] || name[size + 1 + strspn(name + size + 1, " \t\r")]) {
		conf_fail(reading, -EINVAL, reading->line,
			  "a section must stand on a line alone, as "
			  "\"[pool]\"");
		return false;
	}
	name[size] = '\0';
	if (!conf_begin_section(reading, name))
		return false;
	name[size] = ']';
	return true;
}

/* The line reader of inih. Returns the next line, or NULL at the end or at an
 * error. */
static char *conf_next_line(char *buffer, int room, void *stream)
{
	struct conf_reading *reading = stream;
	const char *start = reading->text + reading->at;
	size_t left = reading->size - reading->at;
	const char *end;
	size_t size;

	if (!left || reading->result)
		return NULL;
	end = memchr(start, '\n', left);
	size = end ? (size_t)(end - start) : left;
	reading->at += size + (end != NULL);
	reading->line++;
	if (size > CONF_LINE_MAX || size >= (size_t)room) {
		conf_fail(reading, -EINVAL, reading->line,
			  "line of more than %d bytes", CONF_LINE_MAX);
		return NULL;
	}
	if (!conf_is_text(start, size)) {
		conf_fail(reading, -EINVAL, reading->line,
			  "control byte in a line");
		return NULL;
	}
	memcpy(buffer, start, size);
	buffer[size] = '\0';
	return conf_check_section(reading, buffer) ? buffer : NULL;
}

/* Report an unknown option, with the names of the known ones. */
static int conf_fail_unknown(struct conf_reading *reading,
			     const char *section, const char *name)
{
	char known[CONF_ERROR_MAX] = "";
	char shown[CONF_SHOWN_MAX + 4];
	size_t used = 0;

	conf_shown(name, shown);
	if (!*section)
		return conf_fail(reading, -EINVAL, reading->line,
				 "option '%s' stands before any [section]",
				 shown);
	for (size_t i = 0; i < options_count && used < sizeof(known); i++)
		if (strcmp(options[i].section, section) == 0)
			used += (size_t)snprintf(known + used,
						 sizeof(known) - used, "%s%s",
						 used ? ", " : "",
						 options[i].name);
	return conf_fail(reading, -EINVAL, reading->line,
			 "unknown option '%s' in [%s], which has: %s", shown,
			 section, known);
}

/* The row of a pool's "section.option". NULL after an error. */
static const struct option_row *conf_pool_row(struct conf_reading *reading,
					      const char *name)
{
	char section[32], shown[CONF_SHOWN_MAX + 4];
	const char *dot = strchr(name, '.');
	const struct option_row *row = NULL;

	if (dot && (size_t)(dot - name) < sizeof(section)) {
		snprintf(section, sizeof(section), "%.*s", (int)(dot - name),
			 name);
		row = options_find(section, dot + 1);
	}
	if (!row)
		conf_fail(reading, -EINVAL, reading->line,
			  "'%s' is no option of a pool, which are written with "
			  "their section, as limits.timeout_ms = 25000",
			  conf_shown(name, shown));
	return row;
}

/* A pool's option overrides the same one of the file's other sections. */
static bool conf_is_set_by_pool(void *context, const struct option_row *row)
{
	const struct conf_reading *reading = context;

	return reading->seen[row - options] > reading->pool_line;
}

static void conf_derive(struct conf_reading *reading)
{
	const struct option_row *row = NULL;
	int rc = pools_derive(reading->conf, reading->pool, conf_is_set_by_pool,
			      reading, &row);

	if (rc < 0)
		conf_fail(reading, rc, reading->pool_line,
			  "the value of %s.%s for this pool cannot be made of "
			  "its name: %s; set it in the section",
			  row->section, row->name, log_errno(rc));
}

/* The handler of inih for each option. Returns 0 to stop. */
static int conf_take(void *user, const char *section, const char *name,
		     const char *value)
{
	struct conf_reading *reading = user;
	const struct option_row *row =
		reading->pool_line ? conf_pool_row(reading, name)
				   : options_find(section, name);
	char wanted[VALUE_WANTED_MAX], shown[CONF_SHOWN_MAX + 4];
	unsigned *seen;
	int err;

	if (!row)
		return reading->pool_line
			       ? 0 : conf_fail_unknown(reading, section, name);
	section = row->section;
	name = row->name;
	seen = &reading->seen[row - options];
	if (*seen > reading->pool_line)
		return conf_fail(reading, -EINVAL, reading->line,
				 "%s.%s was already set in line %u", section,
				 name, *seen);
	*seen = reading->line;
	err = value_read(row, reading->conf, value);
	if (err == -ENOMEM)
		return conf_fail(reading, err, reading->line, "out of memory");
	if (!err)
		return 1;
	value_wanted(row, wanted);
	return conf_fail(reading, err, reading->line,
			 "%s.%s must be %s, not '%s'", section, name, wanted,
			 conf_shown(value, shown));
}

/* The later one of the lines that set the options A and B, for the error
 * message. */
static unsigned conf_line_of(const struct conf_reading *reading,
			     const struct option_row *a,
			     const struct option_row *b)
{
	unsigned first = reading->seen[a - options];
	unsigned second = reading->seen[b - options];

	return first > second ? first : second;
}

static void conf_check_rule(struct conf_reading *reading,
			    const struct option_rule *rule)
{
	const struct option_row *left = options_at(rule->left);
	const struct option_row *right = options_at(rule->right);
	unsigned low = value_number(left, reading->conf);
	unsigned high = value_number(right, reading->conf);

	if (rule->zero_free && !high)
		return;
	if ((uint64_t)low * rule->left_factor <=
	    (uint64_t)high * rule->right_factor)
		return;
	conf_fail(reading, -EINVAL, conf_line_of(reading, left, right),
		  "%s.%s (%u) must not be more than %s.%s (%u): %s",
		  left->section, left->name, low, right->section, right->name,
		  high, rule->reason);
}

/* Place the socket of streams beside that of the status, if only that is
 * set. */
static void conf_settle_streams(struct conf_reading *reading)
{
	static const char ending[] = "status.sock";
	const struct option_row *row = options_find("server",
						    "streams_socket");
	const struct option_row *other = options_find("server",
						      "status_socket");
	const char *status = reading->conf->status_socket;
	const size_t size = strlen(status), tail = sizeof(ending) - 1;
	owned_free char *path = NULL;
	int rc = 0;

	if (reading->seen[row - options] || !reading->seen[other - options])
		return;
	if (size > tail && strcmp(status + size - tail, ending) == 0)
		rc = asprintf(&path, "%.*sstreams.sock", (int)(size - tail),
			      status);
	else
		rc = asprintf(&path, "%s.streams", status);
	rc = rc < 0 ? -ENOMEM : value_read(row, reading->conf, path);
	if (rc == -ENOMEM)
		conf_fail(reading, rc, 0, "out of memory");
	else if (rc < 0)
		conf_fail(reading, rc, conf_line_of(reading, other, row),
			  "server.status_socket is so long that "
			  "server.streams_socket must be set");
}

static void conf_check_sockets(struct conf_reading *reading)
{
	const struct conf *conf = reading->conf;
	const struct {
		const char *name, *path;
	} rows[] = {{"socket", conf->socket},
		    {"status_socket", conf->status_socket},
		    {"streams_socket", conf->streams_socket}};

	for (size_t a = 0; a < ARRAY_LEN(rows); a++)
		for (size_t b = a + 1; b < ARRAY_LEN(rows); b++)
			if (strcmp(rows[a].path, rows[b].path) == 0)
				conf_fail(reading, -EINVAL,
					  conf_line_of(
						  reading,
						  options_find("server",
							       rows[a].name),
						  options_find("server",
							       rows[b].name)),
					  "server.%s and server.%s must differ",
					  rows[a].name, rows[b].name);
}

/* The settings of inih are global variables of its library. */
static void conf_set_up_inih(void)
{
	ini_allow_multiline = false;
	ini_allow_bom = false;
	ini_allow_inline_comments = false;
	ini_allow_no_value = false;
	ini_stop_on_first_error = true;
	ini_use_stack = false;
	ini_allow_realloc = false;
	ini_max_line = CONF_LINE_MAX + 4;
	ini_initial_alloc = CONF_LINE_MAX + 4;
}

/* Replace "auto" by a number. */
static void conf_settle(struct conf *conf)
{
	const struct option_row *row = options_find("sessions", "max");
	const long pages = sysconf(_SC_PHYS_PAGES);
	const uint64_t bytes = pages > 0 ? (uint64_t)pages *
						   (uint64_t)sysconf(
							   _SC_PAGESIZE)
					 : 0;
	uint64_t most = (bytes >> 20) / CONF_SESSIONS_PART / CONF_SESSION_MB;

	if (conf->sessions.max != VALUE_AUTO)
		return;
	conf->sessions.small = true;
	most = most < CONF_SESSIONS_LEAST ? CONF_SESSIONS_LEAST : most;
	conf->sessions.max = most < row->max ? (unsigned)most : row->max;
}

int conf_parse(struct conf *conf, const char *name, const char *text,
	       size_t size, char error[CONF_ERROR_MAX])
{
	struct conf_reading reading = { .conf = conf, .name = name,
					.text = text, .size = size,
					.error = error };
	int bad_line;

	error[0] = '\0';
	if (conf_defaults(conf) < 0)
		conf_fail(&reading, -ENOMEM, 0, "out of memory");
	if (size > CONF_TEXT_MAX)
		conf_fail(&reading, -EFBIG, 1, "file of more than %d bytes",
			  CONF_TEXT_MAX);
	conf_set_up_inih();
	bad_line = ini_parse_stream(conf_next_line, &reading, conf_take,
				    &reading);
	if (bad_line == -2)
		conf_fail(&reading, -ENOMEM, reading.line, "out of memory");
	if (bad_line)
		conf_fail(&reading, -EINVAL, reading.line,
			  "neither \"[section]\" nor \"option = value\"");
	if (!reading.result)
		conf_settle_streams(&reading);
	if (!reading.result && reading.pool_line)
		conf_derive(&reading);
	for (size_t i = 0; i < option_rules_count && !reading.result; i++)
		conf_check_rule(&reading, &option_rules[i]);
	if (!reading.result)
		conf_check_sockets(&reading);
	conf_settle(conf);
	return reading.result;
}

int conf_read(const char *path, struct bytes *text, struct conf *conf,
	      char error[CONF_ERROR_MAX])
{
	int rc = io_read_file(AT_FDCWD, path, CONF_TEXT_MAX, text);

	if (rc < 0) {
		snprintf(error, CONF_ERROR_MAX, "read %.200s: %s", path,
			 log_errno(rc));
		return rc;
	}
	rc = conf_parse(conf, path, text->data, text->size, error);
	if (rc < 0) {
		conf_free(conf);
		free(text->data);
		*text = (struct bytes){0};
	}
	return rc;
}

unsigned conf_call_ms(const struct conf *conf)
{
	const unsigned own = conf->doors.code_interpreter_timeout_ms;

	return own > conf->limits.timeout_ms ? own : conf->limits.timeout_ms;
}

unsigned conf_generations(const struct conf *conf)
{
	return conf->standby ? CONF_GENERATIONS_MAX : CONF_GENERATIONS_MAX - 1;
}

int conf_defaults(struct conf *conf)
{
	memset(conf, 0, sizeof(*conf));
	for (size_t i = 0; i < options_count; i++) {
		int err = value_read(&options[i], conf, options[i].unset);

		if (err)
			return err;
	}
	return 0;
}

void conf_free(struct conf *conf)
{
	for (size_t i = 0; i < options_count; i++)
		value_free(&options[i], conf);
	memset(conf, 0, sizeof(*conf));
}

bool conf_fixed_differ(const struct conf *a, const struct conf *b,
		       char text[CONF_ERROR_MAX])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < options_count && used < CONF_ERROR_MAX; i++)
		if (options[i].fixed && !value_same(&options[i], a, b))
			used += (size_t)snprintf(
				text + used, CONF_ERROR_MAX - used, "%s%s.%s",
				used ? ", " : "", options[i].section,
				options[i].name);
	return used > 0;
}

/* Print TEXT as a comment, wrapped at blanks. */
static void conf_print_comment(const char *text, FILE *out)
{
	while (*text) {
		size_t size = strlen(text);

		if (size > CONF_COLUMNS - 2) {
			size = CONF_COLUMNS - 2;
			while (size > 1 && text[size] != ' ')
				size--;
		}
		fprintf(out, "# %.*s\n", (int)size, text);
		text += size;
		text += strspn(text, " ");
	}
}

static void conf_print_row(const struct option_row *row,
			   const struct conf *conf, FILE *out)
{
	char wanted[VALUE_WANTED_MAX];
	char comment[CONF_ERROR_MAX + VALUE_WANTED_MAX + sizeof(OPTION_FIXED)];

	value_wanted(row, wanted);
	/* Each description begins with a letter. */
	wanted[0] = (char)(wanted[0] & ~0x20);
	snprintf(comment, sizeof(comment), "%s %s.%s", row->sentence, wanted,
		 row->fixed ? " " OPTION_FIXED : "");
	fputc('\n', out);
	conf_print_comment(comment, out);
	fprintf(out, "%s =", row->name);
	value_print(row, conf, out);
	fputc('\n', out);
}

void conf_print(const struct conf *conf, FILE *out)
{
	const char *section = "";

	conf_print_comment("Terrarium's configuration: each option with its "
			   "purpose, its allowed values, and its value. An "
			   "option is a line \"option = value\". A line that "
			   "begins with \"#\" is a comment.",
			   out);
	for (size_t i = 0; i < options_count; i++) {
		if (strcmp(section, options[i].section) != 0) {
			section = options[i].section;
			fprintf(out, "\n[%s]\n", section);
		}
		conf_print_row(&options[i], conf, out);
	}
}
