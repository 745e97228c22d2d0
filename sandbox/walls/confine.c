/* confine - see confine.h. */
#include "confine.h"

#include <stdio.h>

#include "landlock.h"
#include "sandbox/base/steps.h"
#include "privileges.h"

static int confine_capabilities(const struct confine_plan *plan)
{
	(void)plan;
	return privileges_keep_worker_capabilities();
}

static int confine_lock(const struct confine_plan *plan)
{
	(void)plan;
	return privileges_lock_worker();
}

static int confine_files(const struct confine_plan *plan)
{
	int abi = plan->landlock_abi;

	if (abi <= 0)
		return 0;
	return plan->keeps ? landlock_enforce_keeper(abi, plan->home)
			   : landlock_enforce_worker(abi, plan->home);
}

static int confine_calls(const struct confine_plan *plan)
{
	return syscalls_load(plan->filter);
}

/* In this order. The filter is the last, because it forbids the calls of the
 * steps before. */
static const STEP(const struct confine_plan *) confine_steps[] = {
	{"drop capabilities", confine_capabilities},
	{"lock privileges", confine_lock},
	{"enforce Landlock", confine_files},
	{"load the filter", confine_calls},
};

int confine_process(const struct confine_plan *plan,
		    char error[CONFINE_ERROR_MAX])
{
	char words[CONFINE_ERROR_MAX - 24] = "";
	int rc = steps_take(confine_steps, plan, words, sizeof(words));

	if (rc < 0)
		snprintf(error, CONFINE_ERROR_MAX, "the process could not %s",
			 words);
	return rc;
}
