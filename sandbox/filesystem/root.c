/* root - see root.h. */
#include "root.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mount_api.h"
#include "sandbox/base/aliases.h"
#include "sandbox/base/log.h"

#define ROOT_MOUNTS_MAX 256
/* Of these: for guest.python_path and guest.home_aliases, and for needed
 * rows. */
#define ROOT_MOUNTS_KEPT 64
#define ROOT_PYTHON_PATH "/usr/lib/python-path/%u"
#define ROOT_VENV_PACKAGES "/lib/python" TERRARIUM_PYTHON "/site-packages"

#define ROOT_LIBRARY (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
#define ROOT_DATA (ROOT_LIBRARY | MOUNT_ATTR_NOEXEC)
#define ROOT_CACHE_ATTRIBUTES \
	(MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)
#define ROOT_DEVICE (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC)

/*
 * The host's files that guests see, at the same paths. A row has a pattern as
 * in glob(7), the mount's attributes and the reason. A host may lack a row that
 * is not "needed". All of /usr/share would show each package of the host, and
 * operators keep files of their own there (/usr/share/nginx), so a row names
 * data that a package for Python reads. Each mount that is there makes a
 * request 3 us longer.
 */
static const struct root_row {
	const char *pattern;
	uint64_t attributes;
	bool needed;
	const char *reason;
} root_rows[] = {
	{"/usr/lib/python3", ROOT_LIBRARY, false, "Debian's packages"},
	{"/usr/lib/python3.*", ROOT_LIBRARY, true, "the standard library"},
	{"/usr/lib/*-linux-gnu*", ROOT_LIBRARY, true, "shared libraries"},
	{"/usr/local/lib/python3*", ROOT_LIBRARY, false, "local packages"},
	{"/usr/lib/lib*.so*", ROOT_LIBRARY, false, "shared libraries of gdal"},
	{"/usr/lib/locale", ROOT_DATA, false, "setlocale()"},
	{"/usr/share/fonts", ROOT_DATA, false, "matplotlib, Pillow"},
	{"/usr/share/matplotlib", ROOT_DATA, false, "its data files"},
	{"/usr/share/zoneinfo", ROOT_DATA, false, "time zones"},
	{"/usr/share/python-*", ROOT_DATA, false, "packages' data: babel"},
	{"/usr/share/python3-*", ROOT_DATA, false, "packages' data: plotly"},
	{"/usr/share/proj", ROOT_DATA, false, "pyproj, geopandas"},
	{"/usr/share/gdal", ROOT_DATA, false, "fiona, rasterio"},
	{"/usr/share/cartopy", ROOT_DATA, false, "its maps"},
	{"/usr/share/basemap", ROOT_DATA, false, "its maps"},
	{"/usr/share/eccodes", ROOT_DATA, false, "weather data"},
	{"/usr/share/xml/udunits", ROOT_DATA, false, "units of measurement"},
	{"/usr/share/RDKit", ROOT_DATA, false, "rdkit"},
	{"/usr/share/openbabel", ROOT_DATA, false, "molecules"},
	{"/usr/share/opencv4", ROOT_DATA, false, "cv2's classifiers"},
	{"/usr/share/tesseract-ocr", ROOT_DATA, false, "reading pictures"},
	{"/usr/share/nltk_data", ROOT_DATA, false, "nltk's texts"},
	{"/usr/share/hunspell", ROOT_DATA, false, "spelling"},
	{"/usr/share/myspell", ROOT_DATA, false, "spelling"},
	{"/usr/share/dict", ROOT_DATA, false, "lists of words"},
	{"/usr/share/libthai", ROOT_DATA, false, "line breaks of Thai"},
	{"/usr/share/iso-codes", ROOT_DATA, false, "pycountry"},
	{"/usr/share/xml/iso-codes", ROOT_DATA, false, "pycountry"},
	{"/usr/share/publicsuffix", ROOT_DATA, false, "domains"},
	{"/usr/share/docutils", ROOT_DATA, false, "its style sheets"},
	{"/usr/share/poppler", ROOT_DATA, false, "PDF in Asian scripts"},
	{"/usr/share/color", ROOT_DATA, false, "colour profiles"},
	{"/usr/share/misc", ROOT_DATA, false, "magic"},
	{"/usr/lib/file", ROOT_DATA, false, "magic"},
	{"/usr/share/tcltk", ROOT_DATA, false, "tkinter: it has no display"},
	{"/usr/share/fontconfig", ROOT_DATA, false, "fonts of cairo"},
	{"/etc/fonts", ROOT_DATA, false, "the same"},
	{"/var/cache/fontconfig", ROOT_DATA, false, "the same, in a list"},
	{"/etc/alternatives/lib*-linux-gnu*", ROOT_DATA, false,
	 "links to BLAS and LAPACK; the links are copied"},
	{"/etc/ld.so.cache", ROOT_DATA, false, "paths of libraries"},
	{"/etc/matplotlibrc", ROOT_DATA, false, "matplotlib's settings"},
	{"/etc/mime.types", ROOT_DATA, false, "mimetypes"},
	{"/dev/null", ROOT_DEVICE, true, "os.devnull"},
	{"/dev/zero", ROOT_DEVICE, true, "mmap of zeros"},
	{"/dev/full", ROOT_DEVICE, false, "tests of full disks"},
	{"/dev/urandom", ROOT_DEVICE, true, "random numbers"},
	{"/dev/random", ROOT_DEVICE, false, "random numbers"},
};

/* Paths that a row matches, and no program reads. */
static const char *const root_left_out[] = {
	"/usr/share/python-apt",      "/usr/share/python-tables",
	"/usr/share/python-wheels",   "/usr/share/python-tinycss2-common",
	"/usr/share/python3-coverage",    "/usr/share/python3-numba",
	"/usr/share/python3-pycparser"};

static const struct {
	const char *name, *target;
} root_links[] = {
	{"lib", "usr/lib"},
	{"lib64", "usr/lib"},
	{"tmp", "home/tmp"}, /* home and /tmp are on one tmpfs */
};

struct root_mount {
	char *path; /* absolute */
	int fd;	    /* detached copy; -1 for a link */
	char *link; /* target of a link, else NULL */
	bool directory;
};

struct root_plan {
	struct root_mount mounts[ROOT_MOUNTS_MAX];
	size_t count;
	unsigned skipped; /* for want of room */
	int cache; /* -1: none */
};

static int root_fail(char *step, int rc, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

static int root_fail(char *step, int rc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(step, ROOT_STEP_MAX, fmt, args);
	va_end(args);
	return rc;
}

static int root_plan_link(struct root_plan *plan, const char *path,
			  const char *target)
{
	struct root_mount *mount = &plan->mounts[plan->count];

	*mount = (struct root_mount){
		.path = strdup(path), .fd = -1, .link = strdup(target)};
	plan->count++;
	return mount->path && mount->link ? 0 : -ENOMEM;
}

/* Whether PATH is a link that is copied: to libraries, through
 * /etc/alternatives, or to a file beside it, which the same row matches. */
static bool root_copies_link(const char *path, char target[PATH_MAX])
{
	ssize_t size = readlink(path, target, PATH_MAX - 1);

	if (size < 0)
		return false;
	target[size] = '\0';
	return strncmp(path, "/etc/", 5) == 0 || !strchr(target, '/');
}

static int root_plan_add(struct root_plan *plan, const char *path,
			 uint64_t attributes, char *step)
{
	struct stat st;

	if (plan->count == ROOT_MOUNTS_MAX)
		return root_fail(step, -E2BIG, "mount more than %d paths",
				 ROOT_MOUNTS_MAX);
	if (stat(path, &st) < 0)
		return root_fail(step, -errno, "stat %.200s", path);
	owned_fd int fd = mount_api_clone(path);

	if (fd < 0)
		return root_fail(step, fd, "copy the mount %.200s", path);
	int rc = attributes ? mount_api_restrict(fd, attributes) : 0;

	if (rc < 0)
		return root_fail(step, rc, "restrict %.200s", path);
	char *copy = strdup(path);

	if (!copy)
		return -ENOMEM;
	plan->mounts[plan->count++] = (struct root_mount){
		.path = copy, .fd = take_fd(&fd),
		.directory = S_ISDIR(st.st_mode)};
	return 0;
}

static bool root_leaves_out(const char *path)
{
	for (size_t i = 0; i < ARRAY_LEN(root_left_out); i++)
		if (strcmp(path, root_left_out[i]) == 0)
			return true;
	return false;
}

/* Add PATH, which ROW matches. */
static int root_plan_match(struct root_plan *plan, const struct root_row *row,
			   const char *path, char *step)
{
	char target[PATH_MAX];
	bool copied = root_copies_link(path, target);

	if (root_leaves_out(path) || (!copied && access(path, F_OK) < 0))
		return 0; /* the latter is a link to nothing */
	if (!row->needed &&
	    plan->count >= ROOT_MOUNTS_MAX - ROOT_MOUNTS_KEPT) {
		plan->skipped++;
		return 0;
	}
	if (!copied)
		return root_plan_add(plan, path, row->attributes, step);
	if (plan->count == ROOT_MOUNTS_MAX)
		return root_fail(step, -E2BIG, "link more than %d paths",
				 ROOT_MOUNTS_MAX);
	return root_plan_link(plan, path, target);
}

static int root_plan_row(struct root_plan *plan, const struct root_row *row,
			 char *step)
{
	glob_t found;
	int rc = glob(row->pattern, GLOB_NOSORT, NULL, &found);

	if (rc != 0)
		return row->needed ? root_fail(step, -ENOENT, "find %s (%s)",
					       row->pattern, row->reason)
				   : 0;
	for (size_t i = 0; i < found.gl_pathc && rc == 0; i++)
		rc = root_plan_match(plan, row, found.gl_pathv[i], step);
	globfree(&found);
	return rc;
}

/* Erase a path of the host, because guests inherit this process's memory. */
static void root_forget_path(char **path)
{
	if (*path)
		explicit_bzero(*path, strlen(*path));
	base_release_ptr(path);
}

/* If *PATH is the root of a virtual environment, replace it by the directory of
 * its packages. */
static int root_enter_venv(char **path)
{
	char *mark = NULL, *inner = NULL;

	if (asprintf(&mark, "%s/pyvenv.cfg", *path) < 0)
		return -ENOMEM;
	bool is_venv = access(mark, F_OK) == 0;

	root_forget_path(&mark);
	if (!is_venv)
		return 0;
	if (asprintf(&inner, "%s" ROOT_VENV_PACKAGES, *path) < 0)
		return -ENOMEM;
	root_forget_path(path);
	*path = inner;
	return 0;
}

/* Add the directory PATH of guest.python_path, at another path inside: its own
 * would tell of the host, and may be in use inside. */
static int root_plan_dir(struct root_plan *plan, char **path,
			 unsigned number, char *step)
{
	int rc = root_enter_venv(path);

	if (rc == 0)
		rc = root_plan_add(plan, *path, ROOT_LIBRARY, step);
	if (rc < 0)
		return rc;
	struct root_mount *mount = &plan->mounts[plan->count - 1];

	root_forget_path(&mount->path);
	if (asprintf(&mount->path, ROOT_PYTHON_PATH, number) < 0) {
		mount->path = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int root_plan_python_path(struct root_plan *plan, const char *list,
				 char *step)
{
	unsigned count = 0;
	int rc = 0;

	for (const char *end; rc == 0 && *list; list = *end ? end + 1 : end) {
		end = strchrnul(list, ':');
		if (end == list)
			continue;
		char *dir = strndup(list, (size_t)(end - list));

		rc = dir ? root_plan_dir(plan, &dir, count++, step) : -ENOMEM;
		root_forget_path(&dir);
	}
	return rc;
}

char *root_python_path(const char *list)
{
	char *out = NULL;
	size_t size;
	FILE *text = open_memstream(&out, &size);
	unsigned count = 0;

	if (!text)
		return NULL;
	for (const char *end; *list; list = *end ? end + 1 : end) {
		end = strchrnul(list, ':');
		if (end == list)
			continue;
		fputs(count ? ":" : "", text);
		fprintf(text, ROOT_PYTHON_PATH, count++);
	}
	if (fclose(text) != 0)
		base_release_ptr(&out);
	return out;
}

/* Add links to home. Those below /home lie in each guest's own tmpfs. */
static int root_plan_aliases(struct root_plan *plan, const char *list,
			     char *step)
{
	char path[ALIASES_PATH_MAX];

	while ((list = aliases_next(list, path))) {
		if (aliases_below_home(path))
			continue;
		if (plan->count == ROOT_MOUNTS_MAX)
			return root_fail(step, -E2BIG, "link %s", path);
		struct root_mount *link = &plan->mounts[plan->count++];

		*link = (struct root_mount){.path = strdup(path), .fd = -1,
					    .link = strdup(ALIASES_HOME)};
		if (!link->path || !link->link)
			return -ENOMEM;
	}
	return 0;
}

static int root_plan_make(struct root_plan *plan,
			  const struct root_extra *extra, char *step)
{
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(root_rows) && rc == 0; i++)
		rc = root_plan_row(plan, &root_rows[i], step);
	if (plan->skipped > 0)
		log_warn("guests do not see %u files or directories of the "
			 "host's packages: there are more than %d",
			 plan->skipped, ROOT_MOUNTS_MAX - ROOT_MOUNTS_KEPT);
	if (rc == 0)
		rc = root_plan_python_path(plan, extra->python_path, step);
	if (rc == 0)
		rc = root_plan_aliases(plan, extra->home_aliases, step);
	return rc;
}

/* The cache outlives a pool process. It is not part of a guest's root. */
static int root_open_cache(const char *dir, char *step)
{
	int fd = mount_api_clone(dir);
	int rc = fd < 0 ? fd : mount_api_restrict(fd, ROOT_CACHE_ATTRIBUTES);

	if (rc == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return root_fail(step, rc, "copy the mount %.200s", dir);
}

static void root_plan_free(struct root_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		free(plan->mounts[i].path);
		free(plan->mounts[i].link);
		base_release_fd(&plan->mounts[i].fd);
	}
	base_release_fd(&plan->cache);
}

/* mkdir -p for the directories above PATH, relative to the root's top. */
static int root_parents(int top, const char *path)
{
	char part[512];

	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/')) {
		size_t size = (size_t)(at - path);

		if (size >= sizeof(part))
			return -ENAMETOOLONG;
		memcpy(part, path, size);
		part[size] = '\0';
		if (mkdirat(top, part, 0755) < 0 && errno != EEXIST)
			return -errno;
	}
	return 0;
}

/* Make the file or directory that a mount will cover. */
static int root_target(int top, const char *path, bool directory)
{
	int rc = root_parents(top, path);

	if (rc < 0)
		return rc;
	if (directory)
		return mkdirat(top, path, 0755) < 0 && errno != EEXIST
			       ? -errno : 0;
	owned_fd int fd = openat(top, path, O_CREAT | O_WRONLY | O_CLOEXEC,
				 0644);

	return fd < 0 ? -errno : 0;
}

static int root_attach_one(int top, const struct root_mount *mount,
			   char *step)
{
	const char *path = mount->path + 1;
	int rc = mount->link ? root_parents(top, path)
			     : root_target(top, path, mount->directory);

	if (rc < 0)
		return root_fail(step, rc, "make the mount point %.200s",
				 mount->path);
	if (mount->link)
		rc = symlinkat(mount->link, top, path) < 0 ? -errno : 0;
	else
		rc = mount_api_attach(mount->fd, top, path);
	return rc < 0 ? root_fail(step, rc, "mount %.200s", mount->path) : 0;
}

static int root_attach(int top, struct root_plan *plan, char *step)
{
	for (size_t i = 0; i < plan->count; i++) {
		int rc = root_attach_one(top, &plan->mounts[i], step);

		if (rc < 0)
			return rc;
	}
	for (size_t i = 0; i < ARRAY_LEN(root_links); i++)
		if (symlinkat(root_links[i].target, top,
			      root_links[i].name) < 0)
			return root_fail(step, -errno, "link /%s",
					 root_links[i].name);
	return 0;
}

/* Mount the new root at /tmp, which any host has, then make it "/". */
static int root_pivot(int root, char *step)
{
	int rc = mount_api_attach(root, AT_FDCWD, "/tmp");

	if (rc < 0)
		return root_fail(step, rc, "mount the new root");
	if (fchdir(root) < 0)
		return root_fail(step, -errno, "enter the new root");
	/* pivot_root(".", ".") mounts the old root over the new one. */
	if (syscall(SYS_pivot_root, ".", ".") < 0)
		return root_fail(step, -errno, "pivot_root");
	if (umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return root_fail(step, -errno, "leave the host's root");
	return 0;
}

static int root_attach_cache(int top, int cache, char *step)
{
	if (mkdirat(top, &ROOT_CACHE[1], 0700) < 0)
		return root_fail(step, -errno, "make the cache's mount point");
	int rc = mount_api_attach(cache, top, &ROOT_CACHE[1]);

	return rc < 0 ? root_fail(step, rc, "mount the cache") : 0;
}

static int root_scratch(int top, char *step)
{
	static const struct mount_api_option options[] = {
		{"size", "64m"}, {"mode", "0755"}, {NULL, NULL}};

	owned_fd int fd = mount_api_tmpfs(
		options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);

	if (fd < 0)
		return root_fail(step, fd, "make the scratch tmpfs");
	int rc = mount_api_attach(fd, top, "home");

	if (rc < 0)
		return root_fail(step, rc, "mount the scratch tmpfs");
	if (mkdirat(top, "home/user", 0700) < 0 ||
	    mkdirat(top, "home/tmp", 0700) < 0)
		return root_fail(step, -errno, "make the scratch home");
	return 0;
}

int root_open(const struct root_extra *extra, struct root_plan **out,
	      char step[ROOT_STEP_MAX])
{
	struct root_plan *plan = calloc(1, sizeof(*plan));

	*step = '\0';
	*out = plan;
	if (!plan)
		return root_fail(step, -ENOMEM, "plan the root");
	plan->cache = -1;
	int rc = root_plan_make(plan, extra, step);

	if (rc == 0 && *extra->cache_dir) {
		plan->cache = root_open_cache(extra->cache_dir, step);
		rc = plan->cache < 0 ? plan->cache : 0;
	}
	return rc;
}

static int root_build(struct root_plan *plan, char *step)
{
	static const struct mount_api_option options[] = {
		{"size", "1m"}, {"nr_inodes", "512"}, {"mode", "0755"},
		{NULL, NULL}};
	owned_fd int root = mount_api_tmpfs(
		options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
	int rc = root < 0 ? root_fail(step, root, "make the root tmpfs")
			  : root_pivot(root, step);

	if (rc == 0)
		rc = root_attach(root, plan, step);
	if (rc == 0 && mkdirat(root, "home", 0755) < 0)
		rc = root_fail(step, -errno, "make /home");
	if (rc == 0)
		rc = root_scratch(root, step);
	if (rc == 0 && plan->cache >= 0)
		rc = root_attach_cache(root, plan->cache, step);
	return rc;
}

int root_enter(struct root_plan **plan, char step[ROOT_STEP_MAX])
{
	umask(022);
	*step = '\0';
	int rc = root_build(*plan, step);

	root_plan_free(*plan);
	free(*plan);
	*plan = NULL;
	return rc;
}

/* Unmount the scratch tmpfs. Returns a descriptor of the root, or a negative
 * errno value. */
static int root_drop_scratch(char *step)
{
	if (chdir("/") < 0)
		return root_fail(step, -errno, "go to /");
	if (umount2("/home", MNT_DETACH) < 0)
		return root_fail(step, -errno, "unmount the scratch tmpfs");
	int root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? root_fail(step, -errno, "open /") : root;
}

int root_own_scratch(char step[ROOT_STEP_MAX])
{
	owned_fd int cache = mount_api_clone(ROOT_CACHE);
	owned_fd int root = root_drop_scratch(step);
	int rc = root < 0 ? root : root_scratch(root, step);

	/* A failed clone: there is no cache. */
	return rc < 0 || cache < 0 ? rc : root_attach_cache(root, cache, step);
}

int root_seal(char step[ROOT_STEP_MAX])
{
	owned_fd int root = root_drop_scratch(step);

	if (root < 0)
		return root;
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};

	if (syscall(SYS_mount_setattr, root, "", AT_EMPTY_PATH, &attr,
		    sizeof(attr)) < 0)
		return root_fail(step, -errno, "make the root read-only");
	return 0;
}
