/* root_plan - see root_plan.h. */
#include "root_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <linux/mount.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mount_api.h"
#include "sandbox/base/aliases.h"
#include "sandbox/base/log.h"

/* Of these: for guest.python_path and guest.home_aliases, and for needed
 * rows. */
#define ROOT_MOUNTS_KEPT 64
#define ROOT_PYTHON_PATH "/usr/lib/python-path/%u"
#define ROOT_VENV_PACKAGES "/lib/python" TERRARIUM_PYTHON "/site-packages"

#define ROOT_LIBRARY (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)
#define ROOT_DATA (ROOT_LIBRARY | MOUNT_ATTR_NOEXEC)
#define ROOT_DEVICE (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC)

/*
 * The host's files that guests see, at the same paths. A row has a pattern as
 * in glob(7), the mount's attributes and the reason. A host may lack a row that
 * is not "needed". All of /usr/share would show each package of the host, and
 * operators keep files of their own there (/usr/share/nginx), so a row names
 * data that a package for Python reads. What is small is copied, because each
 * mount makes a request 3 us longer (small_data.h).
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
	{"/usr/share/hyphen", ROOT_DATA, false, "pyphen, weasyprint"},
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

int root_fail(char step[ROOT_STEP_MAX], int rc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(step, ROOT_STEP_MAX, fmt, args);
	va_end(args);
	return rc;
}

/* Add ENTRY, whose descriptor and texts the plan takes. */
static int root_plan_put(struct root_plan *plan, struct root_entry entry,
			 char *step)
{
	bool whole = entry.path && (entry.link || entry.kind != ROOT_LINK);

	if (whole && plan->count < ROOT_MOUNTS_MAX) {
		plan->entries[plan->count++] = entry;
		return 0;
	}
	int rc = whole ? root_fail(step, -E2BIG, "mount more than %d paths",
				   ROOT_MOUNTS_MAX)
		       : -ENOMEM;

	free(entry.path);
	free(entry.link);
	base_release_fd(&entry.fd);
	return rc;
}

static int root_plan_link(struct root_plan *plan, const char *path,
			  const char *target, char *step)
{
	return root_plan_put(plan, (struct root_entry){
		.kind = ROOT_LINK, .path = strdup(path), .fd = -1,
		.link = strdup(target)}, step);
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

	if (stat(path, &st) < 0)
		return root_fail(step, -errno, "stat %.200s", path);
	owned_fd int fd = mount_api_clone(path);

	if (fd < 0)
		return root_fail(step, fd, "copy the mount %.200s", path);
	int rc = attributes ? mount_api_restrict(fd, attributes) : 0;

	if (rc < 0)
		return root_fail(step, rc, "restrict %.200s", path);
	return root_plan_put(plan, (struct root_entry){
		.kind = ROOT_MOUNT, .path = strdup(path), .fd = take_fd(&fd),
		.directory = S_ISDIR(st.st_mode)}, step);
}

/* Libraries lie in a mount of their own, because the root is not
 * executable. */
static int root_plan_library(struct root_plan *plan, const char *path, int fd,
			     char *step)
{
	owned_fd int file = fd;
	owned_free char *inside = NULL;
	const char *name = strrchr(path, '/') + 1;

	if (asprintf(&inside, ROOT_LIBRARIES "/%s", name) < 0) {
		inside = NULL;
		return -ENOMEM;
	}
	int rc = root_plan_put(plan, (struct root_entry){
		.kind = ROOT_COPY, .path = strdup(inside),
		.fd = take_fd(&file)}, step);

	if (rc < 0)
		return rc;
	plan->libraries = true;
	return root_plan_link(plan, path, inside, step);
}

/* Add PATH as a copy if it is small. 1: it is not. */
static int root_plan_copy(struct root_plan *plan, const struct root_row *row,
			  const char *path, char *step)
{
	struct stat st;
	bool file = stat(path, &st) == 0 && S_ISREG(st.st_mode);

	if (row->attributes != ROOT_DATA &&
	    !(row->attributes == ROOT_LIBRARY && file))
		return 1;
	if (plan->copies.bytes > (ROOT_MB << 20) - SMALL_DATA_MAX ||
	    plan->copies.inodes > ROOT_INODES - SMALL_DATA_ENTRIES_MAX)
		return 1;
	int fd = small_data_open(path, &plan->copies);

	if (fd < 0)
		return 1;
	if (row->attributes == ROOT_LIBRARY)
		return root_plan_library(plan, path, fd, step);
	return root_plan_put(plan, (struct root_entry){
		.kind = ROOT_COPY, .path = strdup(path), .fd = fd}, step);
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
	bool linked = root_copies_link(path, target);

	if (root_leaves_out(path) || (!linked && access(path, F_OK) < 0))
		return 0; /* the latter is a link to nothing */
	if (!row->needed &&
	    plan->count >= ROOT_MOUNTS_MAX - ROOT_MOUNTS_KEPT) {
		plan->skipped++;
		return 0;
	}
	if (linked)
		return root_plan_link(plan, path, target, step);
	int rc = root_plan_copy(plan, row, path, step);

	return rc > 0 ? root_plan_add(plan, path, row->attributes, step) : rc;
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
	struct root_entry *mount = &plan->entries[plan->count - 1];

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
		int rc = root_plan_link(plan, path, ALIASES_HOME, step);

		if (rc < 0)
			return rc;
	}
	return 0;
}

int root_plan_make(struct root_plan *plan, const struct root_extra *extra,
		   char step[ROOT_STEP_MAX])
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

void root_plan_free(struct root_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		free(plan->entries[i].path);
		free(plan->entries[i].link);
		base_release_fd(&plan->entries[i].fd);
	}
	base_release_fd(&plan->cache);
}
