/*
 * sanitize - options for builds with AddressSanitizer, compiled in because
 * a pool process and its guests have no environment of the caller's.
 */
#include <dlfcn.h>
#include <signal.h>

#include "sandbox/base/base.h"

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
	/* Leaks cannot be looked for without ptrace(2) and /proc. An
	 * allocation that fails is for the caller to deal with. */
	return "detect_leaks=0:allocator_may_return_null=1:"
	       "abort_on_error=1:handle_segv=0:handle_abort=0:"
	       "allow_user_segv_handler=1:quarantine_size_mb=1";
}

const char *__ubsan_default_options(void)
{
	return "print_stacktrace=0";
}

/* Before each call that does not return, as at the end of a process, a
 * sanitizer asks for its alternate stack, and aborts when a filter refuses to
 * say. There is none. */
int sigaltstack(const stack_t *stack, stack_t *old)
{
	(void)stack;
	if (old)
		*old = (stack_t){.ss_flags = SS_DISABLE};
	return 0;
}

/* The sanitizer ends a process that opens a library with RTLD_DEEPBIND, as
 * pycryptodome does: such a library would not call the sanitizer's malloc().
 * Here it is opened without. */
void *dlopen(const char *name, int flags)
{
	void *(*plain)(const char *, int);

	*(void **)&plain = dlsym(RTLD_NEXT, "dlopen");
	return plain(name, flags & ~RTLD_DEEPBIND);
}
