/* debian - see debian.h. */
#include "debian.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define DEBIAN_NAME_MAX 128 /* with its NUL; longer ones are left out */

/* The paragraph of one package, as far as it was read. */
struct debian_paragraph {
	char name[DEBIAN_NAME_MAX], version[DEBIAN_NAME_MAX];
	bool installed;
};

/* Copy the value of LINE into INTO if it begins with FIELD and fits. */
static bool debian_take(const char *line, const char *field,
			char into[DEBIAN_NAME_MAX])
{
	size_t skip = strlen(field);

	if (strncmp(line, field, skip) != 0)
		return false;
	size_t size = strcspn(line + skip, " \n");

	if (size < DEBIAN_NAME_MAX) {
		memcpy(into, line + skip, size);
		into[size] = '\0';
	}
	return true;
}

static void debian_read(struct debian_paragraph *at, const char *line)
{
	if (debian_take(line, "Package: python3-", at->name) ||
	    debian_take(line, "Version: ", at->version))
		return;
	if (strcmp(line, "Status: install ok installed\n") == 0 ||
	    strcmp(line, "Status: hold ok installed\n") == 0)
		at->installed = true;
}

/* Write the paragraph's line, if it has one, and begin the next. */
static void debian_write(struct debian_paragraph *at, FILE *list)
{
	if (at->installed && *at->name && *at->version)
		fprintf(list, "%s %s\n", at->name, at->version);
	*at = (struct debian_paragraph){0};
}

int debian_versions(const char *path, struct bytes *out)
{
	struct debian_paragraph at = {0};
	char *line = NULL;
	size_t room = 0;
	FILE *status = fopen(path, "re");

	*out = (struct bytes){0};
	FILE *list = open_memstream(&out->data, &out->size);

	while (status && list && getline(&line, &room, status) >= 0) {
		if (*line == '\n')
			debian_write(&at, list);
		else
			debian_read(&at, line);
	}
	if (list)
		debian_write(&at, list);
	free(line);
	if (status)
		fclose(status);
	return list && fclose(list) == 0 ? 0 : -ENOMEM;
}
