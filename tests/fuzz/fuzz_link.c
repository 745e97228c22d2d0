/*
 * fuzz_link - any bytes as what comes from the local command's sandbox.
 *
 * Besides memory errors: what was read is within its bounds, and what is sent
 * of it is read again as the same.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/cli/link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct limits limits = {
	.displays = 3, .files_out = 4, .files_out_mb = 1};

static void want(bool truth)
{
	if (!truth)
		abort();
}

static bool same(const struct bytes *a, const struct bytes *b)
{
	return a->size == b->size &&
	       (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static int rewind_to_start(int fd)
{
	want(lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

static void compare(const struct outcome *a, const struct outcome *b)
{
	want(a->verdict == b->verdict && a->phase == b->phase);
	want(a->exit_code == b->exit_code && a->detail == b->detail);
	want(a->marked == b->marked);
	want(same(&a->value, &b->value));
	want(same(&a->out.kept, &b->out.kept));
	want(same(&a->err.kept, &b->err.kept));
	want(a->displays_count == b->displays_count);
	want(a->files_count == b->files_count);
	for (size_t i = 0; i < a->files_count; i++)
		want(a->files[i].size == b->files[i].size &&
		     strcmp(a->files[i].name, b->files[i].name) == 0);
}

static void fuzz_outcome(int fd)
{
	owned_fd int copy = memfd_create("copy", MFD_CLOEXEC);
	struct outcome outcome, again;

	if (link_read_outcome(rewind_to_start(fd), &limits, &outcome) == 0) {
		want(outcome.verdict < OUTCOME_VERDICTS);
		want(outcome.phase < OUTCOME_PHASES);
		want(outcome.files_count <= limits.files_out);
		want(outcome.displays_count <= limits.displays);
		want(link_send_outcome(copy, &outcome) == 0);
		want(link_read_outcome(rewind_to_start(copy), &limits,
				       &again) == 0);
		compare(&outcome, &again);
		outcome_free(&again);
	}
	outcome_free(&outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	owned_fd int fd = memfd_create("input", MFD_CLOEXEC);

	want(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	fuzz_outcome(fd);
	return 0;
}
