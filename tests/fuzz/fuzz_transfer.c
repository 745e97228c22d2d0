/*
 * fuzz_transfer - any bytes as a job, or (first byte odd) as an outcome.
 *
 * Besides memory errors: a message that was received can be sent and received
 * again, and is then the same; and nothing is larger than the limits.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "sandbox/base/io.h"
#include "sandbox/ipc/transfer.h"

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

/* The bytes that were written to FD, from its start. */
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

	want(transfer_job_send(&transfer, job) == 0);
	return fuzz_read(fd);
}

static bool fuzz_take_job(const void *data, size_t size, struct job *job)
{
	owned_fd int fd = fuzz_file(data, size);
	struct transfer transfer = {.fd = fd, .client = -1};
	const struct transfer_limits most = {JOB_BYTES, JOB_FILES};
	int rc = transfer_job_receive(&transfer, &most, job);

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
			want(!job_file_name_fault(job.files[i].name));
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

static struct bytes fuzz_pack_outcome(const struct outcome *outcome)
{
	owned_fd int fd = fuzz_file("", 0);
	struct transfer transfer = {.fd = fd, .client = -1};

	want(transfer_outcome_send(&transfer, outcome) == 0);
	return fuzz_read(fd);
}

static bool fuzz_take_outcome(const void *data, size_t size,
			      struct outcome *outcome)
{
	owned_fd int fd = fuzz_file(data, size);
	struct transfer transfer = {.fd = fd, .client = -1};
	int rc = transfer_outcome_receive(&transfer, &limits, outcome);

	want(rc == 0 || rc == -EPROTO || rc == -EPIPE);
	return rc == 0;
}

static void fuzz_outcome(const uint8_t *data, size_t size)
{
	struct outcome outcome, again;

	if (fuzz_take_outcome(data, size, &outcome)) {
		want(outcome.verdict < OUTCOME_VERDICTS &&
		     outcome.probe.phase < OUTCOME_PHASES &&
		     outcome.displays_count <= limits.displays &&
		     outcome.files_count <= limits.files_out &&
		     outcome.out.kept.size <= limits.output_kb << 10);
		struct bytes one = fuzz_pack_outcome(&outcome);

		want(fuzz_take_outcome(one.data, one.size, &again));
		struct bytes two = fuzz_pack_outcome(&again);

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
