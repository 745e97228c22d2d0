/* home_files - see home_files.h. */
#include "home_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#define HOME_FILES_TEMPORARY 64 /* bytes of a temporary name */
#define HOME_FILES_LOOKED 100000 /* entries that a listing looks at */

/* Open the directory that has the last part of NAME, which *LAST points to. A
 * descriptor or a negative errno value. */
static int home_files_parent(int user, const char *name, const char **last)
{
	char dir[HOME_NAME_MAX] = ".";
	const char *slash = strrchr(name, '/');

	*last = slash ? slash + 1 : name;
	if (!slash)
		return home_open_dir(user, dir);
	if (slash - name >= HOME_NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(dir, name, (size_t)(slash - name));
	dir[slash - name] = '\0';
	return home_open_dir(user, dir);
}

static int home_files_user(const struct home *home)
{
	return home_open_dir(home->fd, home->whole ? "." : "user");
}

/* ---- put ------------------------------------------------------------- */

/* What one call of home_files_put() has made so far. */
struct home_files_work {
	int user;
	struct job_file *files;
	size_t count;
	size_t *there; /* for each file: bytes of its name, up to the slash
			* before the first directory that was missing */
	size_t prepared, written;
	uint64_t random;
};

/* Is there room for all contents, and for the inodes of the files? */
static int home_files_room(const struct home *home,
			   const struct job_file *files, size_t count)
{
	struct statfs st;
	uint64_t blocks = 0;

	if (fstatfs(home->fd, &st) < 0)
		return -errno;
	const uint64_t size = (uint64_t)st.f_bsize;

	for (size_t i = 0; i < count; i++)
		blocks += (files[i].content.size + size - 1) / size;
	return blocks > st.f_bavail || count > st.f_ffree ? -ENOSPC : 0;
}

/* Errors that a guest causes by what it has put in the way. */
static int home_files_blame(int rc)
{
	static const int guests[] = {ELOOP, ENOENT, EACCES, EPERM, EXDEV,
				     ENXIO, ENOTDIR, ENAMETOOLONG};

	for (size_t i = 0; i < ARRAY_LEN(guests); i++)
		if (rc == -guests[i])
			return -ENOTDIR;
	return rc;
}

/* The bytes of NAME up to the slash before the first directory that is not
 * there; all of them if none is missing. */
static size_t home_files_there(int user, const char *name)
{
	char part[HOME_NAME_MAX];
	size_t there = 0;

	for (const char *end = name; (end = strchr(end, '/')); end++) {
		size_t size = (size_t)(end - name);

		if (size >= sizeof(part))
			break;
		memcpy(part, name, size);
		part[size] = '\0';
		owned_fd int dir = home_open_dir(user, part);

		if (dir < 0)
			return there;
		there = size;
	}
	return strlen(name);
}

/* Make the directories of a file, and see that no directory has its name. */
static int home_files_prepare(struct home_files_work *work)
{
	const char *name = work->files[work->prepared].name, *last;
	struct stat st;

	work->there[work->prepared] = home_files_there(work->user, name);
	int rc = home_parents(work->user, name);

	work->prepared++; /* some may have been made */
	owned_fd int dir = rc < 0 ? rc
				  : home_files_parent(work->user, name, &last);

	if (dir < 0)
		return dir;
	if (fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	return S_ISDIR(st.st_mode) ? -EISDIR : 0;
}

static void home_files_temporary(const struct home_files_work *work, size_t i,
				 char out[HOME_FILES_TEMPORARY])
{
	snprintf(out, HOME_FILES_TEMPORARY, ".terrarium-%016jx-%zu",
		 (uintmax_t)work->random, i);
}

static int home_files_write(struct home_files_work *work)
{
	struct job_file *file = &work->files[work->written];
	char name[HOME_FILES_TEMPORARY];
	const char *last;
	owned_fd int dir = home_files_parent(work->user, file->name, &last);

	if (dir < 0)
		return dir;
	home_files_temporary(work, work->written, name);
	owned_fd int fd = home_open(dir, name, O_CREAT | O_EXCL | O_WRONLY,
					0644);

	if (fd < 0)
		return fd;
	work->written++;
	return home_write(fd, file);
}

/* Give file I its name. */
static int home_files_rename(struct home_files_work *work, size_t i)
{
	char name[HOME_FILES_TEMPORARY];
	const char *last;
	owned_fd int dir = home_files_parent(work->user, work->files[i].name,
					     &last);

	if (dir < 0)
		return dir;
	home_files_temporary(work, i, name);
	return renameat(dir, name, dir, last) < 0 ? -errno : 0;
}

/* Remove the directories of file I that were made for it, the innermost
 * first. */
static void home_files_unmake(const struct home_files_work *work, size_t i)
{
	char path[HOME_NAME_MAX];
	const char *last;

	snprintf(path, sizeof(path), "%s", work->files[i].name);
	for (char *slash; (slash = strrchr(path, '/')) &&
			  (size_t)(slash - path) > work->there[i];) {
		*slash = '\0';
		owned_fd int dir = home_files_parent(work->user, path, &last);

		if (dir >= 0)
			unlinkat(dir, last, AT_REMOVEDIR);
	}
}

/* Remove all that was made from file FROM on. */
static void home_files_undo(const struct home_files_work *work, size_t from)
{
	char name[HOME_FILES_TEMPORARY];
	const char *last;

	for (size_t i = from; i < work->written; i++) {
		owned_fd int dir = home_files_parent(
			work->user, work->files[i].name, &last);

		home_files_temporary(work, i, name);
		if (dir >= 0)
			unlinkat(dir, name, 0);
	}
	for (size_t i = work->prepared; i-- > from;)
		home_files_unmake(work, i);
}

static int home_files_put_all(struct home_files_work *work, size_t *which)
{
	size_t renamed = 0;
	int rc = 0;

	while (rc == 0 && work->prepared < work->count)
		rc = home_files_prepare(work);
	*which = rc < 0 ? work->prepared - 1 : 0;
	while (rc == 0 && work->written < work->count) {
		*which = work->written;
		rc = home_files_write(work);
	}
	while (rc == 0 && renamed < work->count) {
		*which = renamed;
		rc = home_files_rename(work, renamed);
		renamed += rc == 0;
	}
	if (rc < 0)
		home_files_undo(work, renamed);
	return rc;
}

int home_files_put(const struct home *home, struct job_file *files,
		   size_t count, size_t *which)
{
	owned_free size_t *there = calloc(count ? count : 1, sizeof(*there));
	owned_fd int user = home_files_user(home);
	struct home_files_work work = {.user = user, .files = files,
				       .count = count, .there = there};

	*which = 0;
	if (!there || user < 0)
		return there ? user : -ENOMEM;
	int rc = home_files_room(home, files, count);

	if (rc == 0 && getrandom(&work.random, sizeof(work.random), 0) < 0)
		rc = -errno;
	if (rc < 0)
		return rc;
	home_set_owner(home->owner);
	rc = home_files_blame(home_files_put_all(&work, which));
	int unset = home_unset_owner(home->owner);

	return unset < 0 ? unset : rc;
}

/* ---- read, remove ---------------------------------------------------- */

/* Errors of a name that leads to no file that may be read. */
static int home_files_missing(int rc)
{
	rc = home_files_blame(rc);
	return rc == -ENOTDIR ? -ENOENT : rc;
}

int home_files_open(const struct home *home, const char *name, uint64_t *size)
{
	owned_fd int user = home_files_user(home);
	owned_fd int fd = user < 0 ? user
				   : home_open(user, name, O_RDONLY, 0);
	struct stat st;

	if (fd < 0)
		return user < 0 ? user : home_files_missing(fd);
	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOENT;
	*size = (uint64_t)st.st_size;
	return take_fd(&fd);
}

/* Open the directory of NAME, which must have an entry LAST that is no
 * directory. */
static int home_files_find(const struct home *home, const char *name,
			   const char **last)
{
	owned_fd int user = home_files_user(home);
	owned_fd int dir = user < 0 ? user
				    : home_files_parent(user, name, last);
	struct stat st;

	if (dir < 0)
		return user < 0 ? user : home_files_missing(dir);
	if (fstatat(dir, *last, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return home_files_missing(-errno);
	return S_ISDIR(st.st_mode) ? -EISDIR : take_fd(&dir);
}

int home_files_look(const struct home *home, const char *name)
{
	const char *last;
	owned_fd int dir = home_files_find(home, name, &last);

	return dir < 0 ? dir : 0;
}

int home_files_remove(const struct home *home, const char *name)
{
	const char *last;
	owned_fd int dir = home_files_find(home, name, &last);

	if (dir < 0)
		return dir;
	return unlinkat(dir, last, 0) < 0 ? home_files_missing(-errno) : 0;
}

/* ---- list ------------------------------------------------------------ */

struct home_files_level {
	DIR *dir;
	size_t prefix; /* bytes of the path to this directory */
};

struct home_files_walk {
	struct home_files_level levels[HOME_DEPTH_MAX];
	size_t depth, most, looked;
	size_t deepest; /* levels that are entered; 0: all */
	bool all;	/* entries of any kind are listed */
	char path[HOME_NAME_MAX];
	struct home_files_list *list;
};

/* Enter the directory NAME of DIR. One that cannot be opened is passed over. */
static int home_files_enter(struct home_files_walk *walk, int dir,
			    const char *name, size_t prefix)
{
	if (walk->deepest && walk->depth == walk->deepest)
		return 0;
	if (walk->depth == HOME_DEPTH_MAX) {
		walk->list->cut = true;
		return 0;
	}
	owned_fd int fd = home_open(dir, name, O_RDONLY | O_DIRECTORY, 0);

	if (fd < 0)
		return home_files_missing(fd);
	DIR *opened = fdopendir(fd);

	if (!opened)
		return -errno;
	(void)take_fd(&fd);
	walk->levels[walk->depth++] =
		(struct home_files_level){opened, prefix};
	return 0;
}

/* The text of the link NAME of DIR, or NULL. */
static char *home_files_target(int dir, const char *name)
{
	char text[HOME_TARGET_MAX];
	ssize_t size = readlinkat(dir, name, text, sizeof(text));

	return size > 0 && (size_t)size < sizeof(text)
		       ? strndup(text, (size_t)size) : NULL;
}

int home_files_describe(int dir, const char *name, const char *path,
			const struct stat *st, struct home_files_entry *entry)
{
	*entry = (struct home_files_entry){
		.name = strdup(path), .size = (uint64_t)st->st_size,
		.modified = st->st_mtim.tv_sec, .mode = st->st_mode};
	if (S_ISLNK(st->st_mode))
		entry->target = home_files_target(dir, name);
	return entry->name ? 0 : -ENOMEM;
}

static int home_files_keep(struct home_files_walk *walk, int dir,
			   const char *name, const struct stat *st)
{
	struct home_files_list *list = walk->list;

	if (list->count == walk->most) {
		list->cut = true;
		return 0;
	}
	struct home_files_entry *entries =
		reallocarray(list->entries, list->count + 1, sizeof(*entries));

	if (!entries)
		return -ENOMEM;
	list->entries = entries;
	int rc = home_files_describe(dir, name, walk->path, st,
				     &entries[list->count]);

	/* qsort() needs the names of all. */
	if (rc < 0)
		free(entries[list->count].target);
	else
		list->count++;
	return rc;
}

static int home_files_entry(struct home_files_walk *walk, const char *name)
{
	const struct home_files_level *level = &walk->levels[walk->depth - 1];
	const int dir = dirfd(level->dir);
	const size_t size = strlen(name);
	struct stat st;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return 0;
	if (level->prefix + size + 2 > sizeof(walk->path) ||
	    walk->looked++ == HOME_FILES_LOOKED) {
		walk->list->cut = true;
		return 0;
	}
	memcpy(walk->path + level->prefix, name, size + 1);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0; /* it is gone */
	int rc = walk->all || S_ISREG(st.st_mode)
			 ? home_files_keep(walk, dir, name, &st) : 0;

	if (rc < 0 || !S_ISDIR(st.st_mode))
		return rc;
	walk->path[level->prefix + size] = '/';
	rc = home_files_enter(walk, dir, name, level->prefix + size + 1);

	return rc == -ENOENT ? 0 : rc;
}

static int home_files_walk(struct home_files_walk *walk)
{
	int rc = 0;

	while (walk->depth > 0) {
		struct home_files_level *level =
			&walk->levels[walk->depth - 1];
		const struct dirent *entry =
			rc == 0 && !walk->list->cut ? readdir(level->dir)
						    : NULL;

		if (entry) {
			rc = home_files_entry(walk, entry->d_name);
			continue;
		}
		closedir(level->dir);
		walk->depth--;
	}
	return rc;
}

static int home_files_by_name(const void *a, const void *b)
{
	const struct home_files_entry *left = a, *right = b;

	return strcmp(left->name, right->name);
}

int home_files_list(const struct home *home, const char *dir, size_t most,
		    struct home_files_list *list)
{
	owned_fd int user = home_files_user(home);
	struct home_files_walk walk = {.most = most, .list = list};
	size_t prefix = 0;

	if (user < 0)
		return user;
	if (dir)
		prefix = (size_t)snprintf(walk.path, sizeof(walk.path), "%s/",
					  dir);
	if (prefix >= sizeof(walk.path))
		return -ENOENT;
	int rc = home_files_enter(&walk, user, dir ? dir : ".", prefix);

	if (rc == 0)
		rc = home_files_walk(&walk);
	if (list->count > 1)
		qsort(list->entries, list->count, sizeof(*list->entries),
		      home_files_by_name);
	return rc;
}

/* The order of names in which a directory comes before its own entries. */
static int home_files_by_path(const void *a, const void *b)
{
	const char *left = ((const struct home_files_entry *)a)->name;
	const char *right = ((const struct home_files_entry *)b)->name;

	while (*left && *left == *right)
		left++, right++;
	const int first = *left == '/' ? 1 : (unsigned char)*left;
	const int second = *right == '/' ? 1 : (unsigned char)*right;

	return first - second;
}

int home_files_tree(const struct home *home, const char *dir, unsigned depth,
		    size_t most, struct home_files_list *list)
{
	struct home_files_walk walk = {.most = most, .list = list,
				       .deepest = depth ? depth : 1,
				       .all = true};
	const size_t prefix = (size_t)snprintf(walk.path, sizeof(walk.path),
					       "%s/", dir);

	if (prefix >= sizeof(walk.path))
		return -ENOENT;
	owned_fd int found = home_open_dir(home->fd, dir);

	if (found < 0)
		return found == -ENOTDIR ? found : home_files_missing(found);
	int rc = home_files_enter(&walk, home->fd, dir, prefix);

	if (rc == 0)
		rc = home_files_walk(&walk);
	if (list->count > 1)
		qsort(list->entries, list->count, sizeof(*list->entries),
		      home_files_by_path);
	return rc;
}

void home_files_free(struct home_files_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->entries[i].name);
		free(list->entries[i].target);
	}
	free(list->entries);
	*list = (struct home_files_list){0};
}
