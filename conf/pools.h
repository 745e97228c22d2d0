/*
 * pools - several pools in one configuration file.
 *
 * A section [pool NAME] stands behind all others. Its lines are
 * "section.option = value". The sections before it are the defaults of each
 * pool. Each pool is a server of its own, started with its name, so that no
 * fault of one reaches another. Options that must differ are made of the pool's
 * name unless its section has them (pools_derived).
 */
#ifndef TERRARIUM_POOLS_H
#define TERRARIUM_POOLS_H

#include "options.h"

#define POOLS_MAX 32
#define POOLS_NAME_MAX 33 /* bytes of a name with its NUL */

struct pools {
	unsigned count;
	char names[POOLS_MAX][POOLS_NAME_MAX];
};

/* If SECTION, the text between "[" and "]", is "pool NAME", copy NAME.
 * Returns 1; 0: it is another section; -EINVAL: NAME is bad. */
int pools_section(const char *section, char name[POOLS_NAME_MAX]);

/* Find the pools of a file. -E2BIG: it has more than POOLS_MAX. */
int pools_find(const char *text, size_t size, struct pools *pools);

/* Overwrite by blanks the sections of all pools but NAME. Lines keep their
 * numbers. */
void pools_select(char *text, size_t size, const char *name);

/* Set the options of CONF that must differ between pools to those of the pool
 * NAME. IS_SET tells which ones its section has set. Returns 0, or a negative
 * errno value with the *ROW that has no such value. */
int pools_derive(struct conf *conf, const char *name,
		 bool (*is_set)(void *context, const struct option_row *row),
		 void *context, const struct option_row **row);

/*
 * conf_read() for one pool of the file PATH. NAME "": the file has no pools. TEXT
 * has no section of another pool, so that conf_parse() reads it as this one's.
 */
int pools_read(const char *path, const char *name, struct bytes *text,
	       struct conf *conf, char error[CONF_ERROR_MAX]);

/* The pools of the file PATH, 0 or more. Returns 0, or a negative errno value
 * with a sentence in ERROR. */
int pools_list(const char *path, struct pools *pools,
	       char error[CONF_ERROR_MAX]);

#endif
