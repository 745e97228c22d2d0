/*
 * fuzz_parcel - any bytes as a job that a worker sends, or (first byte odd)
 * as an outcome that a session keeper does.
 *
 * Besides memory errors: what was taken can be put and taken again, and is
 * then the same; and nothing is larger than the limits.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "fcgi/api/input_files.h"
#include "fcgi/sessions/transfer.h"
#include "sandbox/base/io.h"

#define JOB_BYTES 4096
#define JOB_FILES 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct limits limits = {
	.output_kb = 4, .value_kb = 2, .displays = 4, .displays_mb = 1,
	.files_out = 4, .files_out_mb = 1};

static void want(bool truth)
{
	if (!truth)
		abort();
}

static int fuzz_file(const void *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	want(fd >= 0 && io_write_full(fd, data, size) == 0 &&
	     lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

/* What was put into FD, from its start. */
static struct bytes fuzz_read(int fd)
{
	struct bytes out = {0};

	want(lseek(fd, 0, SEEK_SET) == 0 &&
	     io_read_fd(fd, 64u << 20, &out) == 0);
	return out;
}

static struct bytes fuzz_pack_job(const struct job *job)
{
	owned_fd int fd = fuzz_file("", 0);
	struct transfer transfer = {.fd = fd, .client = -1};

	want(transfer_put_job(&transfer, job) == 0);
	return fuzz_read(fd);
}

static bool fuzz_take_job(const void *data, size_t size, struct job *job)
{
	owned_fd int fd = fuzz_file(data, size);
	struct transfer transfer = {.fd = fd, .client = -1};
	int rc = transfer_take_job(&transfer, JOB_BYTES, JOB_FILES, job);

	want(rc == 0 || rc == -EPROTO || rc == -EPIPE);
	return rc == 0;
}

static void fuzz_job(const uint8_t *data, size_t size)
{
	struct job job, again;

	if (fuzz_take_job(data, size, &job)) {
		want(job.files_count <= JOB_FILES && job.task < JOB_TASKS &&
		     job.value < JOB_VALUES);
		for (size_t i = 0; i < job.files_count; i++)
			want(!input_files_name_fault(job.files[i].name));
		struct bytes one = fuzz_pack_job(&job);

		want(fuzz_take_job(one.data, one.size, &again));
		struct bytes two = fuzz_pack_job(&again);

		want(one.size == two.size &&
		     memcmp(one.data, two.data, one.size) == 0);
		free(one.data);
		free(two.data);
		job_free(&again);
	}
	job_free(&job);
}

static struct bytes fuzz_pack_outcome(const struct outcome *outcome,
				      uint32_t fate)
{
	owned_fd int fd = fuzz_file("", 0);
	struct transfer transfer = {.fd = fd, .client = -1};

	want(transfer_put_outcome(&transfer, outcome, fate) == 0);
	return fuzz_read(fd);
}

static bool fuzz_take_outcome(const void *data, size_t size,
			      struct outcome *outcome, uint32_t *fate)
{
	owned_fd int fd = fuzz_file(data, size);
	struct transfer transfer = {.fd = fd, .client = -1};
	int rc = transfer_take_outcome(&transfer, &limits, outcome, fate);

	want(rc == 0 || rc == -EPROTO || rc == -EPIPE);
	return rc == 0;
}

static void fuzz_outcome(const uint8_t *data, size_t size)
{
	struct outcome outcome, again;
	uint32_t fate = 0;

	if (fuzz_take_outcome(data, size, &outcome, &fate)) {
		want(outcome.verdict < OUTCOME_VERDICTS &&
		     outcome.displays_count <= limits.displays &&
		     outcome.files_count <= limits.files_out &&
		     outcome.out.kept.size <= limits.output_kb << 10);
		struct bytes one = fuzz_pack_outcome(&outcome, fate);

		want(fuzz_take_outcome(one.data, one.size, &again, &fate));
		struct bytes two = fuzz_pack_outcome(&again, fate);

		want(one.size == two.size &&
		     memcmp(one.data, two.data, one.size) == 0);
		free(one.data);
		free(two.data);
		outcome_free(&again);
	}
	outcome_free(&outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] & 1)
		fuzz_outcome(data + 1, size - 1);
	else
		fuzz_job(data + 1, size - 1);
	return 0;
}
