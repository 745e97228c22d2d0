/* pools - see pools.h. */
#include "pools.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "value.h"

#define POOLS_WORD "pool "
#define POOLS_LETTERS                                                        \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
/* User ids of one pool: more than the workers and sessions that options
 * allow. */
#define POOLS_UIDS 4096
#define POOLS_UID_RANGES 65536
#define POOLS_TEXT_MAX 1200 /* bytes of a derived text with its NUL */

/* ---- the file -------------------------------------------------------- */

int pools_section(const char *section, char name[POOLS_NAME_MAX])
{
	const size_t word = strlen(POOLS_WORD);
	size_t size;

	if (strncmp(section, POOLS_WORD, word) != 0)
		return 0;
	section += word + strspn(section + word, " ");
	size = strspn(section, POOLS_LETTERS);
	if (size == 0 || size >= POOLS_NAME_MAX || section[size] ||
	    *section == '-')
		return -EINVAL;
	memcpy(name, section, size + 1);
	return 1;
}

/* Does the line of SIZE bytes begin a section? Copies the text between its
 * brackets, cut. */
static bool pools_line(const char *line, size_t size, char *section,
		       size_t room)
{
	const char *end;

	while (size > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		size--;
	}
	if (size == 0 || *line != '[')
		return false;
	end = memchr(line, ']', size);
	snprintf(section, room, "%.*s",
		 end ? (int)(end - line - 1) : (int)size - 1, line + 1);
	return true;
}

/* The length of the line at TEXT, without its end. */
static size_t pools_length(const char *text, size_t left)
{
	const char *end = memchr(text, '\n', left);

	return end ? (size_t)(end - text) : left;
}

static bool pools_has(const struct pools *pools, const char *name)
{
	for (unsigned i = 0; i < pools->count; i++)
		if (strcmp(pools->names[i], name) == 0)
			return true;
	return false;
}

int pools_find(const char *text, size_t size, struct pools *pools)
{
	char section[64], name[POOLS_NAME_MAX];

	pools->count = 0;
	for (size_t at = 0, line; at < size; at += line + 1) {
		line = pools_length(text + at, size - at);
		if (!pools_line(text + at, line, section, sizeof(section)) ||
		    pools_section(section, name) <= 0 || pools_has(pools, name))
			continue;
		if (pools->count == POOLS_MAX)
			return -E2BIG;
		memcpy(pools->names[pools->count++], name, sizeof(name));
	}
	return 0;
}

void pools_select(char *text, size_t size, const char *name)
{
	char section[64], found[POOLS_NAME_MAX];
	bool other = false;

	for (size_t at = 0, line; at < size; at += line + 1) {
		line = pools_length(text + at, size - at);
		if (pools_line(text + at, line, section, sizeof(section)))
			other = pools_section(section, found) > 0 &&
				strcmp(found, name) != 0;
		if (other)
			memset(text + at, ' ', line);
	}
}

/* ---- options that must differ ---------------------------------------- */

/* FNV-1a. A range depends on the name alone, so that a pool keeps it when
 * others come and go. Where two names meet, claims and -t tell. */
static uint32_t pools_hash(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash;
}

/* DIRECTORY of the path HAD, NAME, and the ending that FORMAT has. */
static void pools_beside(char *out, const char *had, const char *name,
			 const char *ending)
{
	const char *slash = strrchr(had, '/');

	snprintf(out, POOLS_TEXT_MAX, "%.*s%s%s",
		 slash ? (int)(slash - had) + 1 : 0, had, name, ending);
}

static void pools_socket(char *out, const char *had, const char *name)
{
	pools_beside(out, had, name, ".sock");
}

static void pools_status(char *out, const char *had, const char *name)
{
	pools_beside(out, had, name, "-status.sock");
}

static void pools_streams(char *out, const char *had, const char *name)
{
	pools_beside(out, had, name, "-streams.sock");
}

static void pools_pid(char *out, const char *had, const char *name)
{
	pools_beside(out, had, name, ".pid");
}

static void pools_below(char *out, const char *had, const char *name)
{
	snprintf(out, POOLS_TEXT_MAX, "%s/%s", had, name);
}

static void pools_group(char *out, const char *had, const char *name)
{
	snprintf(out, POOLS_TEXT_MAX, "%s-%s", had, name);
}

/* An empty text stays empty. */
static const struct {
	const char *section, *name;
	void (*make)(char *out, const char *had, const char *name);
} pools_derived[] = {
	{"server", "socket", pools_socket},
	{"server", "status_socket", pools_status},
	{"server", "streams_socket", pools_streams},
	{"server", "pid_file", pools_pid},
	{"server", "cache_dir", pools_below},
	{"server", "artifacts_dir", pools_below},
	{"walls", "cgroup_name", pools_group},
};

static int pools_derive_text(struct conf *conf, const char *name, size_t i,
			     const struct option_row *row)
{
	char **text = value_text_of(row, conf), made[POOLS_TEXT_MAX];

	if (!**text)
		return 0;
	pools_derived[i].make(made, *text, name);
	const int rc = value_read(row, conf, made);

	return rc == -EINVAL ? -ENAMETOOLONG : rc;
}

int pools_derive(struct conf *conf, const char *name,
		 bool (*is_set)(void *context, const struct option_row *row),
		 void *context, const struct option_row **row)
{
	const struct option_row *uids = options_find("walls", "uid_base");
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(pools_derived) && rc == 0; i++) {
		*row = options_find(pools_derived[i].section,
				    pools_derived[i].name);
		if (!is_set(context, *row))
			rc = pools_derive_text(conf, name, i, *row);
	}
	const uint64_t uid = conf->uid_base +
			     (uint64_t)POOLS_UIDS *
				     (1 + pools_hash(name) % POOLS_UID_RANGES);

	if (rc < 0 || is_set(context, uids))
		return rc;
	*row = uids;
	if (uid > uids->max)
		return -ERANGE;
	conf->uid_base = (unsigned)uid;
	return 0;
}

/* ---- reading --------------------------------------------------------- */

static int pools_open(const char *path, struct bytes *text, struct pools *pools,
		      char error[CONF_ERROR_MAX])
{
	int rc = io_read_file(AT_FDCWD, path, CONF_TEXT_MAX, text);

	if (rc < 0) {
		snprintf(error, CONF_ERROR_MAX, "read %.200s: %s", path,
			 log_errno(rc));
		return rc;
	}
	rc = pools_find(text->data, text->size, pools);
	if (rc == 0)
		return 0;
	snprintf(error, CONF_ERROR_MAX, "%.200s: more than %d pools", path,
		 POOLS_MAX);
	free(text->data);
	*text = (struct bytes){0};
	return rc;
}

int pools_list(const char *path, struct pools *pools,
	       char error[CONF_ERROR_MAX])
{
	struct bytes text;
	int rc;

	pools->count = 0;
	rc = pools_open(path, &text, pools, error);
	if (rc == 0)
		free(text.data);
	return rc;
}

/* The file lacks the pool NAME, or has pools and none was named. */
static int pools_fail(const char *path, const char *name,
		      const struct pools *pools, char error[CONF_ERROR_MAX])
{
	size_t used = (size_t)snprintf(
		error, CONF_ERROR_MAX, "%.200s has %s: ", path,
		*name ? "no such [pool NAME]; it has"
		      : "several pools, and each is a server of its own; "
			"choose by --pool one of");

	for (unsigned i = 0; i < pools->count && used < CONF_ERROR_MAX; i++)
		used += (size_t)snprintf(error + used, CONF_ERROR_MAX - used,
					 "%s%s", i ? ", " : "",
					 pools->names[i]);
	if (pools->count == 0)
		snprintf(error + used, CONF_ERROR_MAX - used, "none");
	return -EINVAL;
}

int pools_read(const char *path, const char *name, struct bytes *text,
	       struct conf *conf, char error[CONF_ERROR_MAX])
{
	struct pools pools;
	int rc = pools_open(path, text, &pools, error);

	if (rc < 0)
		return rc;
	if (*name ? !pools_has(&pools, name) : pools.count > 0)
		rc = pools_fail(path, name, &pools, error);
	if (rc == 0) {
		pools_select(text->data, text->size, name);
		rc = conf_parse(conf, path, text->data, text->size, error);
		if (rc < 0)
			conf_free(conf);
	}
	if (rc < 0) {
		free(text->data);
		*text = (struct bytes){0};
	}
	return rc;
}
