/* freeze_support - see freeze_support.h. */
#include "tests/unit/prefork/freeze_support.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"

#if defined(__SANITIZE_ADDRESS__)
#define FREEZE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FREEZE_SANITIZED 1
#endif
#endif
#ifndef FREEZE_SANITIZED
#define FREEZE_SANITIZED 0
#endif

char *map(size_t size, int flags)
{
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			flags | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

void sow(char *at, size_t size, unsigned seed)
{
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1103515245 + 12345;
		at[i] = (char)(seed >> 16);
	}
}

bool is_sown(const char *at, size_t size, unsigned seed)
{
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1103515245 + 12345;
		if (at[i] != (char)(seed >> 16))
			return false;
	}
	return true;
}

int freeze(struct freeze_report *report)
{
	return freeze_but(FREEZE_ALL_EXACT, report);
}

int freeze_but(size_t exact, struct freeze_report *report)
{
	struct freeze *freeze = NULL;
	owned_fd int proc = open("/proc", O_PATH | O_DIRECTORY);
	int rc = freeze_open(&freeze, proc);

	if (rc == 0)
		rc = freeze_heap(freeze, exact, report);
	freeze_close(&freeze);
	return rc;
}

long status_kb(const char *name)
{
	struct bytes text;

	if (io_read_file(AT_FDCWD, "/proc/self/status", 1 << 16, &text) < 0)
		return -1;
	const char *line = strstr(text.data, name);
	long kb = line ? atol(line + strlen(name)) : -1;

	free(text.data);
	return kb;
}

void in_child(int (*act)(void *context))
{
	if (FREEZE_SANITIZED)
		support_skip("a sanitizer's shadow memory is too much to "
			     "freeze");
	int status = support_in_child(act, NULL);

	if (WIFSIGNALED(status))
		fail_msg("died of signal %d", WTERMSIG(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

bool is_frozen(const void *at)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uintptr_t start, end;
	bool frozen = false;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 &&
		    (uintptr_t)at >= start && (uintptr_t)at < end)
			frozen = strstr(line, FREEZE_NAME) != NULL;
	if (maps)
		fclose(maps);
	return frozen;
}
