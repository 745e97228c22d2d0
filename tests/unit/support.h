/*
 * support - shared by the unit tests: cmocka's own headers in the order it
 * wants, scratch directories, children, and the reason of a skipped test.
 */
#ifndef TERRARIUM_TEST_SUPPORT_H
#define TERRARIUM_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sys/types.h>

#include "sandbox/base/base.h"

/* cmocka 2 deprecates it, but its replacement converts to signed numbers, of
 * which -Wsign-conversion warns. */
#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range(value, least, most)                                  \
	_assert_uint_in_range((uintmax_t)(value), (uintmax_t)(least),        \
			      (uintmax_t)(most), __FILE__, __LINE__)
#endif

/* A literal with its size, NUL bytes and all. */
#define LIT(s) s, sizeof(s) - 1

/* Skip the running test; tests/run shows the reason. */
#define support_skip(...)                                                    \
	do {                                                                 \
		support_say_skip(__VA_ARGS__);                               \
		skip();                                                      \
	} while (0)

void support_say_skip(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* A child that dies of its signals: cmocka's handlers are its parent's. */
pid_t support_fork(void);

/* Wait for PID and return its wait status. */
int support_wait(pid_t pid);

/* Run ACT in a child and return its wait status: ACT's return value is the
 * exit status. */
int support_in_child(int (*act)(void *context), void *context);

/* A fresh directory; release it by support_remove(). */
char *support_dir(void);

/* Remove the tree at *DIR and release the name. */
void support_remove(char **dir);

/* DIR/NAME in static memory, good until the fourth call after it. */
const char *support_path(const char *dir, const char *name);

/* Make the file DIR/NAME, and the directories above it, with TEXT. */
void support_write(const char *dir, const char *name, const char *text);

/* The text of DIR/NAME, at most 4095 bytes, in static memory. */
const char *support_read(const char *dir, const char *name);

/* How many descriptors this process has. */
int support_count_fds(void);

/* Be allowed to mount: as root, or in a user namespace of our own, which
 * this process then stays in. 0 or a negative errno value. */
int support_may_mount(void);

/* Have the kernel answer ERROR to the call NUMBER from here on: for a child,
 * there is no way back. */
int refuse_call(int number, int error);

#endif
