/* input - see input.h. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"
#include "sandbox/base/listing.h"
#include "sandbox/base/log.h"
#include "command.h"

/* The rest of what the job can hold. */
struct input_room {
	const struct limits *limits;
	struct job *job;
};

static int input_add_file(const struct input_room *room, int dir,
			  const char *path, const char *name)
{
	uint64_t most = (uint64_t)room->limits->home_mb << 20, used = 0;
	const char *fault = job_file_name_fault(name);

	if (fault)
		return command_failed("%s: its name %s", name, fault);
	for (size_t i = 0; i < room->job->files_count; i++) {
		if (strcmp(room->job->files[i].name, name) == 0)
			return command_failed("%s: there is another file of "
					      "this name", name);
		used += room->job->files[i].content.size;
	}
	if (room->job->files_count >= room->limits->files_in)
		return command_failed("%s: there are more than %u files", name,
				      room->limits->files_in);
	struct job_file *file = job_add_file(room->job);

	if (!file || !(file->name = strdup(name)))
		return command_failed("out of memory");
	int rc = used > most ? -EFBIG
			     : io_read_file(dir, path, (size_t)(most - used),
					    &file->content);

	return rc < 0 ? command_failed("%s: %s", name, log_errno(rc)) : 0;
}

static bool input_is_left_out(const char *name)
{
	return name[0] == '.' || strcmp(name, "__pycache__") == 0;
}

static int input_add_tree(const struct input_room *room, int dir,
			  const char *name);

/* ENTRY is in the directory DIR. The name of DIR is PREFIX, or "". */
static int input_add_entry(const struct input_room *room, int dir,
			   const char *prefix, const char *entry)
{
	char name[JOB_FILE_NAME_MAX + 2];
	struct stat st;
	int n = snprintf(name, sizeof(name), "%s%s%s", prefix,
			 *prefix ? "/" : "", entry);

	if (n >= (int)sizeof(name))
		return command_failed("%s: its name is too long", entry);
	if (fstatat(dir, entry, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return command_failed("%s: %s", name, log_errno(errno));
	if (S_ISREG(st.st_mode))
		return input_add_file(room, dir, entry, name);
	if (!S_ISDIR(st.st_mode))
		return 0;
	if (job_file_name_fault(name)) /* before a descriptor is opened */
		return command_failed("%s: its name %s", name,
				      job_file_name_fault(name));
	owned_fd int below = openat(dir, entry, O_RDONLY | O_DIRECTORY |
							O_NOFOLLOW | O_CLOEXEC);

	return below < 0 ? command_failed("%s: %s", name, log_errno(errno))
			 : input_add_tree(room, below, name);
}

/* A name's limit of components bounds the depth. */
static int input_add_tree(const struct input_room *room, int dir,
			  const char *name)
{
	owned_listing struct listing list = listing_of(dir);
	const char *entry;
	int rc = 0;

	while (rc == 0 && (entry = listing_next(&list)))
		if (!input_is_left_out(entry))
			rc = input_add_entry(room, dir, name, entry);
	return rc == 0 && list.error < 0
		       ? command_failed("%s: %s", name, log_errno(list.error))
		       : rc;
}

int input_add(const char *path, const struct limits *limits, struct job *job)
{
	const struct input_room room = {limits, job};
	owned_free char *whole = strdup(path);

	if (!whole)
		return command_failed("out of memory");
	for (size_t size = strlen(whole); size > 1 && whole[size - 1] == '/';)
		whole[--size] = '\0';
	const char *slash = strrchr(whole, '/');
	const char *name = slash ? slash + 1 : whole;
	owned_fd int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return input_add_file(&room, AT_FDCWD, path, name);
	return input_add_tree(&room, dir, strcmp(name, ".") == 0 ||
						  strcmp(name, "..") == 0
						  ? "" : name);
}
