/* confine - see confine.h. */
#include "confine.h"

#include <stdio.h>

#include "landlock.h"
#include "log.h"
#include "privileges.h"

static int confine_capabilities(const struct run *run)
{
	(void)run;
	return privileges_keep_worker_capabilities();
}

static int confine_lock(const struct run *run)
{
	(void)run;
	return privileges_lock_worker();
}

static int confine_files(const struct run *run)
{
	int abi = run->box->landlock_abi;

	return abi > 0 ? landlock_enforce_worker(abi, run->home.fd) : 0;
}

static int confine_calls(const struct run *run)
{
	return syscalls_load(&run->box->worker_filter);
}

/* In this order; the filter is the last. */
static const struct {
	const char *name;
	int (*take)(const struct run *run);
} confine_steps[] = {
	{"drop capabilities", confine_capabilities},
	{"lock privileges", confine_lock},
	{"enforce Landlock", confine_files},
	{"load the filter", confine_calls},
};

int confine_worker(const struct run *run, char error[CONFINE_ERROR_MAX])
{
	for (size_t i = 0; i < ARRAY_LEN(confine_steps); i++) {
		int rc = confine_steps[i].take(run);

		if (rc == 0)
			continue;
		snprintf(error, CONFINE_ERROR_MAX,
			 "the worker could not %s: %s", confine_steps[i].name,
			 log_errno(rc));
		return rc;
	}
	return 0;
}
