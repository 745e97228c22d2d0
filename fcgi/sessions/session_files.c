/* session_files - see session_files.h. */
#include "session_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/base/log.h"

#define SESSION_FILES_MOST 1000 /* files of one call that are read */

void session_files_free(struct session_files *files)
{
	home_files_free(&files->list);
	outcome_free(&files->got);
}

/* ---- the session keeper's work --------------------------------------- */

static enum session_files_result session_files_of(int rc)
{
	static const struct {
		int error;
		enum session_files_result result;
	} rows[] = {{0, SESSION_FILES_DONE},
		    {ENOENT, SESSION_FILES_MISSING},
		    {EISDIR, SESSION_FILES_DIRECTORY},
		    {ENOTDIR, SESSION_FILES_BLOCKED},
		    {ENOSPC, SESSION_FILES_NO_ROOM},
		    {EEXIST, SESSION_FILES_EXISTS},
		    {EFBIG, SESSION_FILES_TOO_LARGE}};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rc == -rows[i].error)
			return rows[i].result;
	log_warn("files of a session: error=\"%s\"", log_errno(rc));
	return SESSION_FILES_FAILED;
}

/* Note that file WHICH failed with RC. The first failure counts. */
static void session_files_fail(struct session_files *files, size_t which,
			       int rc)
{
	if (rc == 0)
		return;
	if (files->failed++ > 0)
		return;
	files->which = (uint32_t)which;
	files->result = session_files_of(rc);
}

static void session_files_put(const struct home *home, struct job *job,
			      uint64_t most, struct session_files *files)
{
	size_t which = 0;

	(void)most;
	session_files_fail(files, which,
			   home_files_put(home, job->files, job->files_count,
					  &which));
	files->which = (uint32_t)which;
}

/* Open one file more. Its size counts in *LEFT. */
static int session_files_open(const struct home *home, const char *name,
			      uint64_t *left, struct outcome *got)
{
	uint64_t size = 0;
	owned_fd int fd = home_files_open(home, name, &size);

	if (fd < 0)
		return fd;
	if (size > *left)
		return -EFBIG;
	struct outcome_file *grown = reallocarray(
		got->files, got->files_count + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	got->files = grown;
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	grown[got->files_count++] = (struct outcome_file){
		.name = copy, .size = size, .fd = take_fd(&fd)};
	*left -= size;
	return 0;
}

static void session_files_get(const struct home *home, struct job *job,
			      uint64_t most, struct session_files *files)
{
	for (size_t i = 0; i < job->files_count; i++)
		session_files_fail(files, i,
				   session_files_open(home, job->files[i].name,
						      &most, &files->got));
	if (files->failed > 0)
		outcome_free(&files->got);
}

/* Missing files are no failure. None is removed if one is a directory. */
static void session_files_remove(const struct home *home, struct job *job,
				 uint64_t most, struct session_files *files)
{
	(void)most;
	for (size_t i = 0; i < job->files_count; i++) {
		int rc = home_files_look(home, job->files[i].name);

		session_files_fail(files, i, rc == -ENOENT ? 0 : rc);
	}
	for (size_t i = 0; i < job->files_count && files->failed == 0; i++) {
		int rc = home_files_remove(home, job->files[i].name);

		session_files_fail(files, i, rc == -ENOENT ? 0 : rc);
	}
}

static void session_files_list(const struct home *home, struct job *job,
			       uint64_t most, struct session_files *files)
{
	const char *dir = job->files_count > 0 ? job->files[0].name : NULL;

	(void)most;
	session_files_fail(files, 0,
			   home_files_list(home, dir, SESSION_FILES_LISTED,
					   &files->list));
}

/* ---- trees ------------------------------------------------------------- */

static const char *session_files_name(const struct job *job, size_t index)
{
	return index < job->files_count ? job->files[index].name : "";
}

static void session_files_tree_put(const struct home *home, struct job *job,
				   uint64_t most, struct session_files *files)
{
	struct home whole = *home;

	whole.whole = true;
	session_files_put(&whole, job, most, files);
}

static void session_files_tree_get(const struct home *home, struct job *job,
				   uint64_t most, struct session_files *files)
{
	struct home whole = *home;

	whole.whole = true;
	session_files_get(&whole, job, most, files);
	if (files->result != SESSION_FILES_MISSING)
		return;
	struct home_files_list found = {0};

	if (home_tree_stat(home, session_files_name(job, files->which),
			   &found) == 0 && S_ISDIR(found.entries[0].mode))
		files->result = SESSION_FILES_DIRECTORY;
	home_files_free(&found);
}

static void session_files_tree_list(const struct home *home, struct job *job,
				    uint64_t most, struct session_files *files)
{
	const char *depth = job->args.size > 0 ? job->args.data : "1";

	(void)most;
	session_files_fail(files, 0,
			   home_files_tree(home, session_files_name(job, 0),
					   (unsigned)strtoul(depth, NULL, 10),
					   SESSION_FILES_LISTED,
					   &files->list));
}

static void session_files_tree_stat(const struct home *home, struct job *job,
				    uint64_t most, struct session_files *files)
{
	(void)most;
	session_files_fail(files, 0,
			   home_tree_stat(home, session_files_name(job, 0),
					  &files->list));
}

/* Describe what is at NAME now. */
static void session_files_then(const struct home *home, const char *name,
			       int rc, struct session_files *files)
{
	if (rc == 0)
		rc = home_tree_stat(home, name, &files->list);
	session_files_fail(files, 0, rc);
}

static void session_files_tree_make(const struct home *home, struct job *job,
				    uint64_t most, struct session_files *files)
{
	const char *name = session_files_name(job, 0);

	(void)most;
	session_files_then(home, name, home_tree_make(home, name), files);
}

static void session_files_tree_move(const struct home *home, struct job *job,
				    uint64_t most, struct session_files *files)
{
	const char *to = session_files_name(job, 1);

	(void)most;
	session_files_then(home, to,
			   home_tree_move(home, session_files_name(job, 0), to),
			   files);
}

static void session_files_tree_remove(const struct home *home,
				      struct job *job, uint64_t most,
				      struct session_files *files)
{
	int rc = home_tree_remove(home, session_files_name(job, 0));

	(void)most;
	session_files_fail(files, 0, rc == -ENOENT ? 0 : rc);
}

static void (*const session_files_acts[SESSION_ORDER_KINDS])(
	const struct home *, struct job *, uint64_t, struct session_files *) = {
	[SESSION_ORDER_PUT] = session_files_put,
	[SESSION_ORDER_GET] = session_files_get,
	[SESSION_ORDER_REMOVE] = session_files_remove,
	[SESSION_ORDER_LIST] = session_files_list,
	[SESSION_ORDER_TREE_PUT] = session_files_tree_put,
	[SESSION_ORDER_TREE_GET] = session_files_tree_get,
	[SESSION_ORDER_TREE_LIST] = session_files_tree_list,
	[SESSION_ORDER_TREE_STAT] = session_files_tree_stat,
	[SESSION_ORDER_TREE_MAKE] = session_files_tree_make,
	[SESSION_ORDER_TREE_MOVE] = session_files_tree_move,
	[SESSION_ORDER_TREE_REMOVE] = session_files_tree_remove,
};

void session_files_do(const struct home *home, enum session_order_kind kind,
		      struct job *job, uint64_t most,
		      struct session_files *files)
{
	*files = (struct session_files){0};
	session_files_acts[kind](home, job, most, files);
}

/* ---- the result as it passes ----------------------------------------- */

struct session_files_head {
	uint32_t result, which, failed;
	uint32_t listed, cut;
};

struct session_files_row {
	uint64_t size;
	int64_t modified;
	uint64_t mode;
};

int session_files_send(struct transfer *transfer,
		       const struct session_files *files)
{
	const struct home_files_list *list = &files->list;
	const struct session_files_head head = {
		.result = files->result, .which = files->which,
		.failed = files->failed, .listed = (uint32_t)list->count,
		.cut = list->cut};

	transfer_begin(transfer);
	transfer_send(transfer, &head, sizeof(head));
	for (size_t i = 0; i < list->count; i++) {
		const struct session_files_row row = {
			list->entries[i].size, list->entries[i].modified,
			list->entries[i].mode};

		transfer_send(transfer, &row, sizeof(row));
		transfer_send_text(transfer, list->entries[i].name);
		transfer_send_text(transfer, list->entries[i].target);
	}
	return transfer_outcome_send(transfer, &files->got);
}

static void session_files_receive_row(struct transfer *transfer,
				      struct home_files_list *list)
{
	struct home_files_entry *entry = &list->entries[list->count];
	uint64_t left = HOME_NAME_MAX, target_left = HOME_TARGET_MAX;
	struct session_files_row row;

	if (!transfer_receive(transfer, &row, sizeof(row)))
		return;
	list->count++;
	entry->size = row.size;
	entry->modified = row.modified;
	entry->mode = (unsigned)row.mode;
	if (transfer_receive_text(transfer, &left, &entry->name) &&
	    !entry->name)
		transfer_fail(transfer, -EPROTO);
	else if (!transfer->error)
		transfer_receive_text(transfer, &target_left, &entry->target);
}

int session_files_receive(struct transfer *transfer, uint64_t most,
			  struct session_files *files)
{
	const struct limits limits = {
		.files_out = SESSION_FILES_MOST,
		.files_out_mb = (unsigned)((most >> 20) + 1)};
	struct session_files_head head;

	*files = (struct session_files){0};
	transfer_begin(transfer);
	if (!transfer_receive(transfer, &head, sizeof(head)))
		return transfer->error;
	if (head.result >= SESSION_FILES_RESULTS ||
	    head.listed > SESSION_FILES_LISTED)
		return -EPROTO;
	files->result = (enum session_files_result)head.result;
	files->which = head.which;
	files->failed = head.failed;
	files->list.cut = head.cut != 0;
	files->list.entries = calloc(head.listed + 1,
				     sizeof(*files->list.entries));
	if (!files->list.entries)
		return -ENOMEM;
	while (!transfer->error && files->list.count < head.listed)
		session_files_receive_row(transfer, &files->list);
	return transfer->error ? transfer->error
			       : transfer_outcome_receive(transfer, &limits,
							  &files->got);
}
