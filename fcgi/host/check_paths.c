/* check_paths - see check_paths.h. */
#include "check_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define CHECK_PATHS_SHOWN 200 /* bytes of a path in a sentence */

/* Is PATH a directory that allows MODE of access(2)? */
static int check_paths_is_dir(const char *path, int mode)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return faccessat(AT_FDCWD, path, mode, AT_EACCESS) < 0 ? -errno : 0;
}

/* Can a file be made at PATH? */
static int check_paths_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	owned_free char *dir = NULL;

	if (!slash)
		return check_paths_is_dir(".", W_OK | X_OK);
	dir = slash == path ? strdup("/")
			    : strndup(path, (size_t)(slash - path));
	return dir ? check_paths_is_dir(dir, W_OK | X_OK) : -ENOMEM;
}

/* A start makes this directory, but not the one that it lies in. */
static int check_paths_made(const char *path)
{
	int rc = check_paths_is_dir(path, W_OK | X_OK);

	return rc == -ENOENT ? check_paths_file(path) : rc;
}

static int check_paths_read(const char *path)
{
	return check_paths_is_dir(path, R_OK | X_OK);
}

/* Each of several directories, with colons between them. */
static int check_paths_each(const char *list)
{
	int rc = 0;

	for (const char *end; rc == 0 && *list; list = *end ? end + 1 : end) {
		end = strchrnul(list, ':');
		owned_free char *dir = strndup(list, (size_t)(end - list));

		if (end != list)
			rc = dir ? check_paths_read(dir) : -ENOMEM;
	}
	return rc;
}

/* To check another path, add a row. An empty one is not used. */
static const struct {
	const char *name;
	size_t offset;
	int (*check)(const char *path);
	const char *need;
} check_paths_rows[] = {
#define AT(field) offsetof(struct conf, field)
	{"server.socket", AT(socket), check_paths_file,
	 "its directory must be there and writable"},
	{"server.status_socket", AT(status_socket), check_paths_file,
	 "its directory must be there and writable"},
	{"server.streams_socket", AT(streams_socket), check_paths_file,
	 "its directory must be there and writable"},
	{"server.pid_file", AT(pid_file), check_paths_file,
	 "its directory must be there and writable"},
	{"log.file", AT(log_file), check_paths_file,
	 "its directory must be there and writable"},
	{"server.cache_dir", AT(cache_dir), check_paths_made,
	 "it, or the directory that it lies in, must be writable"},
	{"server.artifacts_dir", AT(artifacts_dir), check_paths_made,
	 "it, or the directory that it lies in, must be writable"},
	{"guest.python_path", AT(python_path), check_paths_each,
	 "each must be a directory that can be read"},
	{"guest.skeleton", AT(skeleton), check_paths_read,
	 "it must be a directory that can be read"},
#undef AT
};

int check_paths(const struct conf *conf, char *text, size_t size)
{
	int worst = 0;
	size_t used = 0;

	snprintf(text, size, "%s",
		 "those that the configuration names are there");
	for (size_t i = 0; i < ARRAY_LEN(check_paths_rows); i++) {
		const char *path = *(char *const *)(const void *)(
			(const char *)conf + check_paths_rows[i].offset);
		int rc = *path ? check_paths_rows[i].check(path) : 0;

		if (rc == 0 || used >= size)
			continue;
		worst = rc;
		used += (size_t)snprintf(text + used, size - used,
					 "%s%s = %.*s: %s (%s)",
					 used ? "; " : "",
					 check_paths_rows[i].name,
					 CHECK_PATHS_SHOWN, path,
					 log_errno(rc),
					 check_paths_rows[i].need);
	}
	return worst;
}

int check_paths_group(const struct conf *conf, char *text, size_t size)
{
	const char *name = conf->socket_group;

	if (*name && !getgrnam(name)) {
		snprintf(text, size,
			 "server.socket_group = %s: there is no such group",
			 name);
		return -ENOENT;
	}
	if (*name)
		snprintf(text, size, "%s, mode %04o", name, conf->socket_mode);
	else
		snprintf(text, size, "the server's own, mode %04o",
			 conf->socket_mode);
	return 0;
}
