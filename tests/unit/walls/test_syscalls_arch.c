/*
 * test_syscalls_arch - the tables of system calls on other architectures:
 * whatever this machine is, each row must have its call there, or another
 * row that does its work, and the sum must stay as small.
 */
#include "tests/unit/walls/syscalls_support.h"

#include <seccomp.h>
#include <string.h>

/* Where it shall run, and the most calls that each role may make there. */
static const struct {
	uint32_t token;
	const char *name;
	unsigned most[SYSCALLS_ROLES];
} places[] = {
	{SCMP_ARCH_X86_64, "x86_64", {74, 46, 74, 47, 51, 47, 3, 47}},
	{SCMP_ARCH_AARCH64, "aarch64", {74, 46, 74, 47, 51, 47, 3, 47}},
};

/* The C library's substitute for a call that an architecture lacks, where the
 * substitute is allowed everywhere and so needs no row of its own. */
static const struct {
	const char *name, *instead;
} substitutes[] = {
	{"rmdir", "unlinkat"},
	{"unlink", "unlinkat"},
	{"alarm", "setitimer"},
};

static int number(size_t place, const char *name)
{
	return seccomp_syscall_resolve_name_arch(places[place].token, name);
}

/* Does the row count there? */
static bool counts(size_t place, const struct syscalls_row *row)
{
	return number(place, row->name) >= 0 &&
	       (!row->unless || number(place, row->unless) < 0);
}

static const struct syscalls_row *find(size_t place, size_t role,
				       const char *name)
{
	for (size_t i = 0; i < tables[role].count; i++)
		if (strcmp(tables[role].rows[i].name, name) == 0 &&
		    counts(place, &tables[role].rows[i]))
			return &tables[role].rows[i];
	return NULL;
}

static const struct syscalls_row *stand_in(size_t place, size_t role,
					   const char *name)
{
	for (size_t i = 0; i < tables[role].count; i++) {
		const struct syscalls_row *row = &tables[role].rows[i];

		if (row->unless && strcmp(row->unless, name) == 0 &&
		    counts(place, row))
			return row;
	}
	for (size_t i = 0; i < ARRAY_LEN(substitutes); i++)
		if (strcmp(substitutes[i].name, name) == 0)
			return find(place, role, substitutes[i].instead);
	return NULL;
}

/* Names that libseccomp does not know at all are misspelt. */
static void every_name_is_one(void **state)
{
	(void)state;
	for (size_t role = 0; role < SYSCALLS_ROLES; role++)
		for (size_t i = 0; i < tables[role].count; i++) {
			const struct syscalls_row *row =
				&tables[role].rows[i];

			if (number(0, row->name) == __NR_SCMP_ERROR ||
			    (row->unless &&
			     number(0, row->unless) == __NR_SCMP_ERROR))
				fail_msg("%s", row->name);
		}
	for (size_t i = 0; i < ARRAY_LEN(syscalls_refused); i++)
		if (number(0, syscalls_refused[i].name) == __NR_SCMP_ERROR)
			fail_msg("%s", syscalls_refused[i].name);
}

static void each_row_has_its_call_or_a_stand_in(void **state)
{
	(void)state;
	for (size_t place = 0; place < ARRAY_LEN(places); place++)
		for (size_t role = 0; role < SYSCALLS_ROLES; role++)
			for (size_t i = 0; i < tables[role].count; i++) {
				const struct syscalls_row *row =
					&tables[role].rows[i];

				if (row->unless || counts(place, row) ||
				    stand_in(place, role, row->name))
					continue;
				fail_msg("%s, table %zu: nothing does what "
					 "%s does", places[place].name, role,
					 row->name);
			}
}

static bool same_check(const struct syscalls_check *one,
		       const struct syscalls_check *other)
{
	return one->on == other->on && one->mask == other->mask &&
	       one->count == other->count &&
	       memcmp(one->values, other->values, sizeof(one->values)) == 0;
}

static bool as_strict(const struct syscalls_row *row,
		      const struct syscalls_row *other)
{
	for (size_t i = 0; i < CHECKS_MAX; i++)
		if (row->checks[i].on &&
		    !same_check(&row->checks[i], &other->checks[i]))
			return false;
	return true;
}

/* It may have its argument in another place, but no wider. */
static void a_stand_in_is_as_strict(void **state)
{
	(void)state;
	for (size_t place = 0; place < ARRAY_LEN(places); place++)
		for (size_t role = 0; role < SYSCALLS_ROLES; role++)
			for (size_t i = 0; i < tables[role].count; i++) {
				const struct syscalls_row *row =
					&tables[role].rows[i];
				const struct syscalls_row *other =
					counts(place, row) ? row
					: stand_in(place, role, row->name);

				if (!row->unless && other &&
				    !as_strict(row, other))
					fail_msg("%s for %s", other->name,
						 row->name);
			}
}

static unsigned count_calls(size_t place, size_t role)
{
	bool seen[2048] = {false};
	unsigned count = 0;

	for (size_t i = 0; i < tables[role].count; i++) {
		const struct syscalls_row *row = &tables[role].rows[i];
		int at = number(place, row->name);

		if (!counts(place, row))
			continue;
		assert_in_range(at, 0, ARRAY_LEN(seen) - 1);
		count += !seen[at];
		seen[at] = true;
	}
	return count;
}

static void there_are_no_more_than_there_were(void **state)
{
	(void)state;
	for (size_t place = 0; place < ARRAY_LEN(places); place++)
		for (size_t role = 0; role < SYSCALLS_ROLES; role++) {
			unsigned count = count_calls(place, role);

			if (count > places[place].most[role])
				fail_msg("%s, table %zu: %u calls",
					 places[place].name, role, count);
			if (places[place].token == seccomp_arch_native())
				assert_int_equal(count,
						 syscalls_allowed(
							 (unsigned)role));
		}
}

/* A row for other architectures names a call that some architecture has
 * instead of another row's. */
static void stand_ins_stand_for_a_row(void **state)
{
	(void)state;
	for (size_t role = 0; role < SYSCALLS_ROLES; role++)
		for (size_t i = 0; i < tables[role].count; i++) {
			const char *name = tables[role].rows[i].unless;

			if (name && !find(0, role, name))
				fail_msg("%s is in no row",
					 tables[role].rows[i].unless);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_is_one),
		cmocka_unit_test(each_row_has_its_call_or_a_stand_in),
		cmocka_unit_test(a_stand_in_is_as_strict),
		cmocka_unit_test(there_are_no_more_than_there_were),
		cmocka_unit_test(stand_ins_stand_for_a_row),
	};

	return cmocka_run_group_tests_name("syscalls_arch", tests,
					   fill_tables, NULL);
}
