/* service_variables - see service_variables.h. */
#include "service_variables.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int service_variables_text(const char *name, char *out, size_t size)
{
	const char *text = getenv(name);
	int rc = 0;

	*out = '\0';
	if (!text)
		return -ENOENT;
	if (strlen(text) >= size)
		rc = -E2BIG;
	else
		memcpy(out, text, strlen(text) + 1);
	unsetenv(name);
	return rc;
}

int service_variables_number(const char *name, uint64_t *out)
{
	char text[24];
	int rc = service_variables_text(name, text, sizeof(text));

	if (rc < 0)
		return rc == -ENOENT ? rc : -EINVAL;
	/* strtoull() would accept a sign and spaces. */
	if (!*text || strspn(text, "0123456789") != strlen(text))
		return -EINVAL;
	errno = 0;
	*out = strtoull(text, NULL, 10);
	return errno ? -EINVAL : 0;
}

int service_variables_are_ours(const char *name, bool *out)
{
	uint64_t pid = 0;
	int rc = service_variables_number(name, &pid);

	*out = rc == -ENOENT || (rc == 0 && pid == (uint64_t)getpid());
	return rc == -ENOENT ? 0 : rc;
}
