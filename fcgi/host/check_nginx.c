/* check_nginx - see check_nginx.h; docs/operations.md has the two limits. */
#include "check_nginx.h"

#include <ctype.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/base/io.h"

#define CHECK_NGINX_FILE_MAX (1u << 20)
#define CHECK_NGINX_GROUPS 64
#define CHECK_NGINX_WORD_MAX 40
/* The rest of fastcgi_read_timeout, beside twice the program's time. */
#define CHECK_NGINX_MORE_S 25

static const char *const check_nginx_files[] = {
	"nginx.conf", "conf.d/*.conf", "sites-enabled/*"};

/* ---- directives ------------------------------------------------------ */

/* The first word after the directive NAME in TEXT, or after FROM's. Returns
 * where the search goes on, or NULL. */
static const char *check_nginx_next(const char *text, const char *name,
				    char word[CHECK_NGINX_WORD_MAX])
{
	const size_t size = strlen(name);

	while (text) {
		text += strspn(text, " \t\n;{}");
		if (strncmp(text, name, size) == 0 &&
		    (text[size] == ' ' || text[size] == '\t')) {
			text += size;
			text += strspn(text, " \t");
			size_t length = strcspn(text, " \t\n;");

			snprintf(word, CHECK_NGINX_WORD_MAX, "%.*s",
				 (int)(length < 39 ? length : 39), text);
			return text + length;
		}
		text = *text == '#' ? strchr(text, '\n')
				    : strpbrk(text, "\n;{}");
	}
	return NULL;
}

/* "100m", "1k", "105s", "2": the number in bytes, or in seconds. */
static uint64_t check_nginx_amount(const char *word)
{
	char *end;
	const uint64_t number = strtoull(word, &end, 10);

	switch (tolower((unsigned char)*end)) {
	case 'k': return number << 10;
	case 'm': return end[1] == 's' ? number / 1000 : number << 20;
	case 'g': return number << 30;
	default: return number;
	}
}

static uint64_t check_nginx_most(const char *text, const char *name)
{
	char word[CHECK_NGINX_WORD_MAX];
	uint64_t most = 0;

	while ((text = check_nginx_next(text, name, word))) {
		const uint64_t amount = check_nginx_amount(word);

		if (amount > most)
			most = amount;
	}
	return most;
}

/* Read the file of nginx that passes requests to CONF's socket. The sites lie
 * behind links. Returns its name, to be freed, or NULL. */
static char *check_nginx_site(const char *dir, const struct conf *conf,
			      struct bytes *text)
{
	char *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(check_nginx_files) && !found; i++) {
		char pattern[300];
		glob_t all;

		snprintf(pattern, sizeof(pattern), "%.200s/%s", dir,
			 check_nginx_files[i]);
		if (glob(pattern, 0, NULL, &all) != 0)
			continue;
		for (size_t at = 0; at < all.gl_pathc && !found; at++) {
			if (io_read_file(AT_FDCWD, all.gl_pathv[at],
					 CHECK_NGINX_FILE_MAX, text) < 0)
				continue;
			if (strstr(text->data, conf->socket))
				found = strdup(all.gl_pathv[at]);
			else
				free(text->data);
		}
		globfree(&all);
	}
	return found;
}

/* ---- limits ---------------------------------------------------------- */

int check_nginx_limits(const char *dir, const struct conf *conf, char *text,
		       size_t size)
{
	struct bytes site;
	owned_free char *name = check_nginx_site(dir, conf, &site);
	const uint64_t body = (uint64_t)conf->body_mb << 20;
	const unsigned usual = conf->limits.timeout_ms,
		       longer = conf->doors.code_interpreter_timeout_ms,
		       slowest = usual > longer ? usual : longer;
	const uint64_t wait = 2 * (uint64_t)slowest / 1000 + CHECK_NGINX_MORE_S;

	if (!name) {
		snprintf(text, size,
			 "no file below %.100s passes requests to %.110s", dir,
			 conf->socket);
		return 1;
	}
	const uint64_t has_body = check_nginx_most(site.data,
						   "client_max_body_size");
	const uint64_t has_wait = check_nginx_most(site.data,
						   "fastcgi_read_timeout");

	free(site.data);
	if (has_body && has_body != body) {
		snprintf(text, size,
			 "%.100s: client_max_body_size is %ju bytes, but "
			 "server.body_mb = %u: the smaller one refuses bodies",
			 name, (uintmax_t)has_body, conf->body_mb);
		return 0;
	}
	if (has_wait && has_wait < wait) {
		snprintf(text, size,
			 "%.100s: fastcgi_read_timeout is %ju s at most, but "
			 "a call may take %ju s and its wait for a worker: "
			 "nginx answers 504",
			 name, (uintmax_t)has_wait, (uintmax_t)wait);
		return 0;
	}
	snprintf(text, size, "those of %.200s fit", name);
	return 1;
}

/* ---- the user -------------------------------------------------------- */

struct check_nginx_identity {
	uid_t uid;
	gid_t groups[CHECK_NGINX_GROUPS];
	int count;
};

/* May it do BITS (of 7) with a file of that owner, group and mode? */
static bool check_nginx_may(const struct check_nginx_identity *is, uid_t uid,
			    gid_t gid, unsigned mode, unsigned bits)
{
	if (is->uid == 0)
		return true;
	if (is->uid == uid)
		return ((mode >> 6) & bits) == bits;
	for (int i = 0; i < is->count; i++)
		if (is->groups[i] == gid)
			return ((mode >> 3) & bits) == bits;
	return (mode & bits) == bits;
}

/* Each directory of PATH that is there already. Returns the first one that is
 * closed, to be freed, or NULL. */
static char *check_nginx_closed(const struct check_nginx_identity *is,
				const char *path)
{
	for (const char *at = strchr(path + 1, '/'); at;
	     at = strchr(at + 1, '/')) {
		owned_free char *dir = strndup(path, (size_t)(at - path));
		struct stat st;

		if (dir && stat(dir, &st) == 0 &&
		    !check_nginx_may(is, st.st_uid, st.st_gid, st.st_mode, 1)) {
			char *closed = dir;

			dir = NULL;
			return closed;
		}
	}
	return NULL;
}

int check_nginx_user(const char *dir, const struct conf *conf, char *text,
		     size_t size)
{
	char path[300], word[CHECK_NGINX_WORD_MAX] = "nobody";
	struct check_nginx_identity is = {.count = CHECK_NGINX_GROUPS};
	struct bytes file;

	snprintf(path, sizeof(path), "%.200s/nginx.conf", dir);
	if (io_read_file(AT_FDCWD, path, CHECK_NGINX_FILE_MAX, &file) < 0) {
		snprintf(text, size, "there is no %.200s to read", path);
		return 1;
	}
	check_nginx_next(file.data, "user", word);
	free(file.data);
	const struct passwd *user = getpwnam(word);
	const struct group *group = *conf->socket_group
					    ? getgrnam(conf->socket_group)
					    : NULL;
	const gid_t gid = group ? group->gr_gid : getegid();

	if (!user || getgrouplist(word, user->pw_gid, is.groups,
				  &is.count) < 0) {
		snprintf(text, size, "%.200s: there is no user %s", path, word);
		return 0;
	}
	is.uid = user->pw_uid;
	owned_free char *closed = check_nginx_closed(&is, conf->socket);

	if (closed) {
		snprintf(text, size, "%s of %.100s may not enter %.200s", word,
			 path, closed);
		return 0;
	}
	if (!check_nginx_may(&is, geteuid(), gid, conf->socket_mode, 6)) {
		snprintf(text, size,
			 "%s of %.200s could not open server.socket: set "
			 "server.socket_group to its group",
			 word, path);
		return 0;
	}
	snprintf(text, size, "%s of %.200s can open the sockets", word, path);
	return 1;
}
