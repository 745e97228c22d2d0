/*
 * upgrade_trial - a child of the master that executes the program on disk, to
 * find out whether it could take over (upgrade.h).
 */
#ifndef TERRARIUM_UPGRADE_TRIAL_H
#define TERRARIUM_UPGRADE_TRIAL_H

#include "handover.h"

struct upgrade_trial {
	pid_t pid; /* 0: none runs */
	int said; /* its output, or -1 */
	int64_t end_ms; /* then it is killed */
	bool passed;
};

/* Start the trial of PROGRAM, with KEPT. CONF_PATH and POOL are those of the
 * command line. 0 or a negative errno value. */
int upgrade_trial_start(struct upgrade_trial *trial, const char *program,
			struct handover *kept, const char *conf_path,
			const char *pool);

/* It was reaped. Returns 0, and it has passed; or -EINVAL with a sentence in
 * ERROR. */
int upgrade_trial_ended(struct upgrade_trial *trial, int status,
			char error[SCOREBOARD_REASON_MAX]);

/* Kill a trial that takes too long. */
void upgrade_trial_watch(const struct upgrade_trial *trial);

/* `terrariumd --try-upgrade`: the trial. Returns the exit status. */
int upgrade_trial_main(const char *conf_path, const char *pool);

#endif
