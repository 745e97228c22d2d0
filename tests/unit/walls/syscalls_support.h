/*
 * syscalls_support - for tests of the filters of system calls: the rows of
 * each role, the filter that is made of them, an interpreter for it, and
 * calls that ask the kernel.
 */
#ifndef TERRARIUM_SYSCALLS_SUPPORT_H
#define TERRARIUM_SYSCALLS_SUPPORT_H

#include "tests/unit/support.h"

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "sandbox/walls/syscalls.h"
#include "sandbox/walls/syscalls_table.h"

#define NUMBERS 512	/* that are asked of the kernel */
#define X32 0x40000000u /* bit of a call of the x32 kind */
#define HIGH (1ull << 32)
#define PATTERNS 4

/* The filter that syscalls.c makes for each role. */
struct syscalls_rows {
	struct syscalls_row rows[128];
	size_t count;
};
extern struct syscalls_rows tables[SYSCALLS_ROLES];
int fill_tables(void **state);

/* The table that is being tested, and the filter made of it. */
extern enum syscalls_role tested_role;
extern struct syscalls_filter filter;
extern const char *const role_names[SYSCALLS_ROLES];

#define ROWS (tables[tested_role].rows)
#define ROWS_COUNT (tables[tested_role].count)

/* Set-up and tear-down of a group of tests. */
int compile_role(void **state);
int release_filter(void **state);

/* Run TESTS for each role, as a group with a filter of its own; the last one
 * is for the guest's alone. How many failed. */
int run_for_roles(const struct CMUnitTest *tests, size_t count);

/* Is it a program's, which expects answers? */
bool is_guest(void);

/* The program's answer to a call; see seccomp(2) for its numbers. */
uint32_t interpret(const struct seccomp_data *data);
uint32_t filter_answer(uint32_t number, const uint64_t args[6]);

/* Arguments of some kinds. Does the program let NUMBER pass with any? */
extern const uint64_t patterns[PATTERNS][6];
bool passes_somehow(uint32_t number);

/* Does the row count here? Some are for other architectures. */
bool row_counts(const struct syscalls_row *row);
bool in_table(uint32_t number);
int refused_errno(uint32_t number);

/* In a child: load the filter. */
bool load_filter(void);

/* Exit without a sanitizer's handlers, whose calls are refused. */
int leave(int status);

/* The errno of a call with six equal bit patterns; 0 when it succeeded. */
int ask_kernel(long number, const uint64_t *args);

/* A child's findings, SIZE bytes of shared memory. */
void *new_findings(size_t size);

#endif
