/* aliases - see aliases.h. */
#include "aliases.h"

#include <string.h>

#define ALIASES_COMPONENTS_MAX 4

/* First components that an alias may not have: directories of a guest's root,
 * and those that a Linux system has. Below /home one name is allowed. */
static const char *const aliases_system[] = {
	"bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc",
	"run", "sbin", "sys", "tmp", "usr", "var"};
static const char *const aliases_homes[] = {"user", "tmp"};

static bool aliases_among(const char *name, const char *const *names,
			  size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Letters, digits, '_', and after the first also '.' and '-'. */
static bool aliases_plain(const char *text, size_t size)
{
	static const char first[] = "0123456789_abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t plain = strspn(text, first);

	while (plain > 0 && plain < size &&
	       (text[plain] == '.' || text[plain] == '-'))
		plain += 1 + strspn(text + plain + 1, first);
	return size > 0 && plain >= size;
}

const char *aliases_below_home(const char *path)
{
	return strncmp(path, "/home/", 6) == 0 ? path + 6 : NULL;
}

/* Whether the first component of PATH may be used. */
static bool aliases_place(const char *path)
{
	const char *name = aliases_below_home(path);
	char first[ALIASES_PATH_MAX];
	size_t size = strcspn(path + 1, "/");

	if (name)
		return !strchr(name, '/') &&
		       !aliases_among(name, aliases_homes,
				      ARRAY_LEN(aliases_homes));
	memcpy(first, path + 1, size);
	first[size] = '\0';
	return strcmp(first, "home") != 0 &&
	       !aliases_among(first, aliases_system,
			      ARRAY_LEN(aliases_system));
}

static bool aliases_path_valid(const char *path)
{
	size_t count = 0;

	for (const char *at = path; *at; count++) {
		size_t size;

		if (*at++ != '/')
			return false;
		size = strcspn(at, "/");
		if (!aliases_plain(at, size))
			return false;
		at += size;
	}
	return count > 0 && count <= ALIASES_COMPONENTS_MAX &&
	       aliases_place(path);
}

/* Whether PATH is DIR or lies in it. */
static bool aliases_within(const char *path, const char *dir)
{
	size_t size = strlen(dir);

	return strncmp(path, dir, size) == 0 &&
	       (path[size] == '\0' || path[size] == '/');
}

const char *aliases_next(const char *list, char path[ALIASES_PATH_MAX])
{
	size_t size = list ? strcspn(list, ":") : 0;

	if (!size || size >= ALIASES_PATH_MAX)
		return NULL;
	memcpy(path, list, size);
	path[size] = '\0';
	return list[size] ? list + size + 1 : list + size;
}

/* Whether no path of LIST lies in PATH or is above it. */
static bool aliases_apart(const char *list, const char *path)
{
	char other[ALIASES_PATH_MAX];

	while ((list = aliases_next(list, other)))
		if (aliases_within(other, path) || aliases_within(path, other))
			return false;
	return true;
}

bool aliases_valid(const char *list)
{
	char path[ALIASES_PATH_MAX];
	size_t count = 0, size = strlen(list);

	if (size > ALIASES_TEXT_MAX || (size && list[size - 1] == ':'))
		return false;
	while (*list) {
		list = aliases_next(list, path);
		if (!list || ++count > ALIASES_COUNT_MAX ||
		    !aliases_path_valid(path) || !aliases_apart(list, path))
			return false;
	}
	return true;
}

/* The bytes of NAME that the directory DIR and the slashes behind it take. */
static size_t aliases_prefix(const char *name, const char *dir)
{
	size_t size = strlen(dir);

	if (strncmp(name, dir, size) != 0 || name[size] != '/')
		return 0;
	return size + strspn(name + size, "/");
}

void aliases_strip(const char *list, char *name)
{
	char path[ALIASES_PATH_MAX];
	size_t drop = aliases_prefix(name, ALIASES_HOME);

	while (!drop && (list = aliases_next(list, path)))
		drop = aliases_prefix(name, path);
	if (drop)
		memmove(name, name + drop, strlen(name + drop) + 1);
}
