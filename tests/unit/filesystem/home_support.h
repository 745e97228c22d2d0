/*
 * home_support - for tests of a guest's tmpfs: a real one, a guest that does
 * its worst in it, and checks of the collected files.
 */
#ifndef TERRARIUM_HOME_SUPPORT_H
#define TERRARIUM_HOME_SUPPORT_H

#include "tests/unit/support.h"

#include <string.h>

#include "sandbox/filesystem/collect.h"
#include "sandbox/base/io.h"

#define SIZE_MB 4
#define INODES 4096
#define MANY 1000
#define PLENTY (1u << 30)

extern int may_mount; /* 0 or the reason why not */
extern uid_t owner;
extern struct home home;
extern struct outcome outcome;

/* Set-up and tear-down of each test. */
int home_set_up(void **state);
int home_tear_down(void **state);

#define NEEDS_HOME()                                                         \
	do {                                                                 \
		if (may_mount)                                               \
			support_skip("no right to make a tmpfs: %s",         \
				     strerror(may_mount));                   \
	} while (0)

#define WITH_HOME(test)                                                      \
	cmocka_unit_test_setup_teardown(test, home_set_up, home_tear_down)

#define FILE_ROW(file_name, text)                                            \
	{.name = (char *)(uintptr_t)(file_name),                             \
	 .content = {(char *)(uintptr_t)(text), sizeof(text) - 1}}

/* Do ACT in a child, as the guest's uid, in its home: it returns 0. */
void guest_does(int (*act)(void));

/* For acts: make a file of SIZE times BYTE, or with TEXT. */
bool fill(const char *name, size_t size, char byte);
bool put_text(const char *name, const char *text);

/* Collect into OUTCOME, and check the rules for every file. */
void collect(const struct collect_known *known, size_t known_count,
	     size_t count, uint64_t bytes);
void collect_all(void);

void assert_names(const char *const *names, size_t count);

#define ASSERT_NAMES(...)                                                    \
	assert_names((const char *const[]){__VA_ARGS__},                     \
		     sizeof((const char *const[]){__VA_ARGS__}) /            \
			     sizeof(char *))

void assert_content(size_t i, const char *text);

/* Run TESTS as NAME; the exit status. */
int home_tests(const char *name, const struct CMUnitTest *tests, size_t count);

#endif
