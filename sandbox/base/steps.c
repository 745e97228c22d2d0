/* steps - see steps.h. */
#include "steps.h"

#include <stdio.h>

#include "log.h"

void steps_explain(char *error, size_t size, const char *name, int rc)
{
	if (*error == '\0')
		snprintf(error, size, "%s: %s", name, log_errno(rc));
}
