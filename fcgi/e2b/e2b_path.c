/* e2b_path - see e2b_path.h. */
#include "e2b_path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/base/aliases.h"

/* Remove empty components, "." and ".." with the component before it. PATH
 * begins with a slash. */
static void e2b_path_resolve(char *path)
{
	char *to = path;

	for (const char *at = path, *next; *at; at = next) {
		size_t size;

		at += strspn(at, "/");
		size = strcspn(at, "/");
		next = at + size;
		if (size == 0 || (size == 1 && *at == '.'))
			continue;
		if (size == 2 && memcmp(at, "..", 2) == 0) {
			while (to > path && *--to != '/')
				;
			continue;
		}
		*to++ = '/';
		memmove(to, at, size);
		to += size;
	}
	*to = '\0';
}

/* The places that programs see, and their names in the tmpfs. */
static const struct {
	const char *path, *name;
} e2b_path_places[] = {
	{ALIASES_HOME, "user"}, {"/tmp", "tmp"}, {"/home/tmp", "tmp"}};

static bool e2b_path_below(const char *path, const char *top)
{
	const size_t size = strlen(top);

	return strncmp(path, top, size) == 0 &&
	       (path[size] == '/' || path[size] == '\0');
}

static int e2b_path_name(const char *path, char name[E2B_PATH_MAX])
{
	for (size_t i = 0; i < ARRAY_LEN(e2b_path_places); i++)
		if (e2b_path_below(path, e2b_path_places[i].path)) {
			snprintf(name, E2B_PATH_MAX, "%s%s",
				 e2b_path_places[i].name,
				 path + strlen(e2b_path_places[i].path));
			return E2B_PATH_FILE;
		}
	if (*path == '\0')
		return E2B_PATH_ROOT;
	return strcmp(path, "/home") == 0 ? E2B_PATH_HOMES
					  : E2B_PATH_ELSEWHERE;
}

int e2b_path(const char *aliases, const char *path, size_t size,
	     char name[E2B_PATH_MAX])
{
	const bool home = path[0] == '~' && (path[1] == '/' || !path[1]);
	owned_free char *whole = NULL, *given = NULL;

	*name = '\0';
	if (size == 0 || size > JOB_FILE_NAME_MAX || strlen(path) != size)
		return -EINVAL;
	if (asprintf(&whole, "%s%s", *path == '/' ? "" : ALIASES_HOME "/",
		     home ? path + 1 : path) < 0)
		return -ENOMEM;
	e2b_path_resolve(whole);
	if (asprintf(&given, "%s/", whole) < 0)
		return -ENOMEM;
	aliases_strip(aliases, given);
	if (*given == '/')
		return e2b_path_name(whole, name);
	snprintf(name, E2B_PATH_MAX, "user%s%s", *given ? "/" : "", given);
	if (*given)
		name[strlen(name) - 1] = '\0'; /* the slash */
	return E2B_PATH_FILE;
}

const char *e2b_path_top(const char *name, const char **rest)
{
	for (size_t i = 0; i < ARRAY_LEN(e2b_path_places); i++)
		if (e2b_path_below(name, e2b_path_places[i].name)) {
			*rest = name + strlen(e2b_path_places[i].name);
			return e2b_path_places[i].path;
		}
	*rest = name;
	return "";
}
