/*
 * syscalls_tables - the rows of each role, for tests that read them.
 */
#ifndef TERRARIUM_SYSCALLS_TABLES_H
#define TERRARIUM_SYSCALLS_TABLES_H

#include "support.h"

#include <string.h>

#include "../../sandbox/syscalls.h"
#include "../../sandbox/syscalls_table.h"

/* What syscalls.c puts together for each role. */
static struct {
	struct syscalls_row rows[128];
	size_t count;
} tables[SYSCALLS_ROLES];

static void add_rows(size_t to, const struct syscalls_row *rows, size_t count)
{
	assert_true(tables[to].count + count <= ARRAY_LEN(tables[to].rows));
	memcpy(tables[to].rows + tables[to].count, rows,
	       count * sizeof(*rows));
	tables[to].count += count;
}

static int fill_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < SYSCALLS_ROLES; i++) {
		bool guest = i == SYSCALLS_GUEST || i == SYSCALLS_SESSION;

		tables[i].count = 0;
		add_rows(i, guest ? syscalls_guest : syscalls_worker,
			 guest ? ARRAY_LEN(syscalls_guest)
			       : ARRAY_LEN(syscalls_worker));
	}
	add_rows(SYSCALLS_SESSION, syscalls_session,
		 ARRAY_LEN(syscalls_session));
	add_rows(SYSCALLS_CALLER, syscalls_caller,
		 ARRAY_LEN(syscalls_caller));
	add_rows(SYSCALLS_KEEPER, syscalls_keeper,
		 ARRAY_LEN(syscalls_keeper));
	add_rows(SYSCALLS_ARCHIVIST, syscalls_archivist,
		 ARRAY_LEN(syscalls_archivist));
	return 0;
}

#endif
