/* upgrade - see upgrade.h, execve(2). */
#include "upgrade.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "conf/pools.h"
#include "fcgi/shared/leave.h"
#include "notify.h"

#define UPGRADE_PROGRAM "/proc/self/exe"

void upgrade_init(struct master *master)
{
	ssize_t n = readlink(UPGRADE_PROGRAM, master->program,
			     sizeof(master->program) - 1);

	master->program[n < 0 ? 0 : n] = '\0';
	master->former = master->trial.said = -1;
}

void upgrade_close_in_child(struct master *master)
{
	base_release_fd(&master->former);
	base_release_fd(&master->trial.said);
}

/* ---- the former program ---------------------------------------------- */

/* The state that this program hands to the next one; NULL: out of memory. Its
 * texts are borrowed. */
static struct handover *upgrade_hand_over(struct master *master)
{
	struct handover *kept = handover_make();

	if (!kept)
		return NULL;
	memcpy(kept->program, master->program, sizeof(kept->program));
	kept->status = master->status;
	kept->queue = master->queue;
	kept->streams = master->streams;
	kept->archive = master->archive;
	kept->log = master->log;
	kept->announced = master->announced;
	kept->reloading = master->reloading;
	kept->upgrades = atomic_load(&master->setup.board->upgrades);
	setup_hand_over(&master->setup, &kept->setup);
	kept->start = master->setup.text;
	kept->present = master->generations.text;
	return kept;
}

static void upgrade_try(struct master *master)
{
	struct handover *kept = upgrade_hand_over(master);
	char error[SCOREBOARD_REASON_MAX];
	int rc = kept ? upgrade_trial_start(&master->trial, master->program,
					    kept, master->setup.conf_path,
					    master->setup.pool)
		      : -ENOMEM;

	free(kept);
	if (rc == 0)
		return;
	snprintf(error, sizeof(error), "upgrade: try the new program: %s",
		 log_errno(rc));
	generations_fail_reload(&master->generations, error);
}

/* An upgrade is a reload by another program, and counted as such. While one
 * goes on, its result answers both. */
void upgrade_begin(struct master *master)
{
	if (master->stopping)
		return;
	atomic_fetch_add(&master->setup.board->reload_asked, 1);
	if (master->announced) {
		notify_reloading();
		master->reloading = true;
	}
	if (master->trial.pid > 0 || master->trial.passed ||
	    master->former >= 0)
		return;
	log_info("upgrading: program=\"%s\"", master->program);
	upgrade_try(master);
}

bool upgrade_reaped(struct master *master, pid_t pid, int status)
{
	char error[SCOREBOARD_REASON_MAX];

	if (pid != master->trial.pid)
		return false;
	if (upgrade_trial_ended(&master->trial, status, error) < 0)
		generations_fail_reload(&master->generations, error);
	return true;
}

/* Execute the program PATH, with the arguments of this one. Returns a negative
 * errno value if that failed; then all is as before. */
static int upgrade_exec(struct master *master, const char *path,
			struct handover *kept)
{
	int fd = handover_write(kept);

	if (fd < 0)
		return fd;
	int rc = notify_hand_over();

	if (rc == 0) {
		handover_keep_open(kept);
		execl(path, master->program, "--config",
		      master->setup.conf_path, "--pool", master->setup.pool,
		      NULL);
		rc = -errno;
	}
	handover_undo(kept, fd);
	notify_take_back();
	return rc;
}

/* Hand everything over to the program PATH. With a reason in ERROR, PATH is the
 * former program, and it gets back the configuration that its generation had.
 * Returns as upgrade_exec(). */
static int upgrade_leave(struct master *master, const char *path,
			 const char *error)
{
	struct handover *kept = upgrade_hand_over(master);
	owned_fd int self = open(UPGRADE_PROGRAM, O_PATH | O_CLOEXEC);
	int rc = !kept ? -ENOMEM : self < 0 ? -errno : 0;

	if (rc == 0) {
		snprintf(kept->error, sizeof(kept->error), "%s", error);
		if (*error)
			kept->present = master->former_text;
		else
			kept->former = self;
		generations_hand_over(&master->generations,
				      &kept->generations);
		rc = registry_hand_over(&master->registry, &kept->registry);
	}
	if (rc == 0)
		rc = upgrade_exec(master, path, kept);
	if (kept)
		free(kept->registry.notes.data);
	free(kept);
	return rc;
}

static void upgrade_go(struct master *master)
{
	char failed[SCOREBOARD_REASON_MAX];
	int rc = upgrade_leave(master, master->program, "");

	master->trial.passed = false;
	snprintf(failed, sizeof(failed), "upgrade: execute the new program: %s",
		 log_errno(rc));
	generations_fail_reload(&master->generations, failed);
}

/* ---- the new program ------------------------------------------------- */

/* The former program is not needed any more. */
static void upgrade_forget(struct master *master)
{
	base_release_fd(&master->former);
	base_release_ptr(&master->former_text.data);
	master->former_text.size = 0;
}

static void upgrade_go_back(struct master *master)
{
	char path[32];

	log_error("the new program cannot serve, back to the former one: %s",
		  master->setup.board->next_error);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", master->former);
	int rc = upgrade_leave(master, path, master->setup.board->next_error);

	log_error("execute the former program: %s", log_errno(rc));
	upgrade_forget(master);
}

void upgrade_step(struct master *master)
{
	const struct scoreboard *board = master->setup.board;
	const uint32_t asked = atomic_load(&board->reload_asked);

	upgrade_trial_watch(&master->trial);
	if (master->trial.passed &&
	    !generations_is_arming(&master->generations))
		upgrade_go(master);
	if (master->former < 0)
		return;
	if (atomic_load(&board->reload_failed) == asked) {
		upgrade_go_back(master);
	} else if (atomic_load(&board->reload_done) == asked) {
		log_info("upgraded: the new program serves");
		atomic_fetch_add(&master->setup.board->upgrades, 1);
		upgrade_forget(master);
	}
}

static struct bytes upgrade_take(struct bytes *from)
{
	const struct bytes taken = *from;

	*from = (struct bytes){0};
	return taken;
}

/* The helpers still run the former program. The signal makes them end, and the
 * master starts others in their place. */
static void upgrade_replace_helpers(struct master *master,
				    const struct handover *kept)
{
	const pid_t helpers[] = {kept->status, kept->queue, kept->streams,
				 kept->archive, kept->log};

	master->status = kept->status;
	master->queue = kept->queue;
	master->streams = kept->streams;
	master->archive = kept->archive;
	master->log = kept->log;
	for (size_t i = 0; i < ARRAY_LEN(helpers); i++)
		if (helpers[i] > 0)
			kill(helpers[i], LEAVE_SIGNAL);
}

/* Ask for a generation by the configuration that is on disk. */
static void upgrade_renew(struct master *master, struct handover *kept)
{
	const struct setup *setup = &master->setup;
	char error[CONF_ERROR_MAX];
	struct bytes text;
	struct conf conf;

	master->former = kept->former;
	master->former_text = upgrade_take(&kept->present);
	/* The trial has read it; since then it may have changed. */
	if (pools_read(setup->conf_path, setup->pool, &text, &conf, error) <
	    0) {
		generations_fail_reload(&master->generations, error);
		return;
	}
	if (conf_fixed_differ(&setup->conf, &conf, error))
		log_warn("only a restart changes: %s", error);
	master_allow_calls(master, &conf);
	conf_free(&conf);
	/* The former program has counted this reload. */
	atomic_fetch_sub(&setup->board->reload_asked, 1);
	generations_reload(&master->generations, text);
}

void upgrade_take_over(struct master *master, struct handover *kept)
{
	char error[SETUP_ERROR_MAX];

	memcpy(master->program, kept->program, sizeof(kept->program));
	if (setup_take_over(&master->setup, &kept->setup,
			    upgrade_take(&kept->start), error) < 0)
		die("take over: %s", error);
	master_make_registry(master);
	int rc = registry_take_over(&master->registry, &kept->registry);

	if (rc < 0)
		die("take over sessions: %s", log_errno(rc));
	master_make_generations(master);
	generations_take_over(&master->generations, &kept->generations);
	master->announced = kept->announced;
	master->reloading = kept->reloading;
	upgrade_replace_helpers(master, kept);
	atomic_store(&master->setup.board->upgrades, kept->upgrades);
	if (*kept->error) {
		generations_accept(&master->generations,
				   upgrade_take(&kept->present));
		generations_fail_reload(&master->generations, kept->error);
	} else {
		upgrade_renew(master, kept);
	}
	/* A pending SIGCHLD is lost when its action is set (setup.c). */
	master_reap(master);
}
