/*
 * fuzz_mcp - any bytes as a message of the Model Context Protocol, with the
 * headers of both eras, and as what a guest left behind.
 *
 * Besides memory errors: every answer is one line of valid JSON as long as it
 * says, or 202 without a body, and a job keeps the promises of job.h.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fcgi/api/events.h"
#include "fcgi/mcp/mcp_progress.h"
#include "replies.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte of a corpus file is an index here. */
static const struct mcp_headers headers[] = {
	{"", "", ""},
	{"2025-03-26", "", ""},
	{"2025-11-25", "", ""},
	{"2026-07-28", "tools/call", MCP_TOOL},
	{"2026-07-28", "tools/list", ""},
	{"2026-07-28", "server/discover", ""},
	{"1999-01-01", "ping", "x"},
	{"2026-07-28", "resources/read", "file:///home/user/a?session=b"}};

/* The input as output that is progress: one line of JSON. */
static void fuzz_progress(const struct mcp *mcp, const uint8_t *data,
			  size_t size)
{
	const struct events events = {.context = mcp};
	struct text line = {0};

	mcp_progress_stream.lines->text(&events, &line, SINK_ERR,
					(const char *)data, size);
	mcp_progress_stream.lines->silence(&events, &line);
	char *end = memchr(line.data, '\n', line.size);

	want(end && line.data[line.size - 1] == '\n');
	want(json_check_value(line.data, (size_t)(end - line.data)) == 0);
	want(json_check_value(end + 1, line.size -
					       (size_t)(end + 1 - line.data)) ==
	     0);
	text_free(&line);
}

/* The input as the content of a file that was asked for. */
static void fuzz_fetch(struct mcp *mcp, const uint8_t *data, size_t size,
		       struct reply *reply)
{
	owned_fd int fd = memfd_create("file", MFD_CLOEXEC);
	const struct outcome_file file = {mcp->job.files[0].name, size, fd};

	want(mcp->job.files_count == 1 && mcp->job.session.data);
	want(!job_file_name_fault(file.name));
	want(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	mcp_render_fetch(mcp, &file, reply);
}

/* The run of the job: the input as output, traceback, value and name. */
static void fuzz_run(struct mcp *mcp, const struct limits *limits,
		     const uint8_t *data, size_t size, struct reply *reply)
{
	owned_free char *text = calloc(1, size + 1);
	owned_fd int fd = memfd_create("file", MFD_CLOEXEC);

	want(text && fd >= 0 && write(fd, data, size) == (ssize_t)size);
	memcpy(text, data, size);
	struct outcome_file file = {text, size, fd};
	struct outcome outcome = {
		.verdict = data[size - 1] % OUTCOME_VERDICTS,
		.files = &file, .files_count = 1,
		.out.kept = {text, size}, .err.kept = {text, size},
		.error_type = text, .error_message = text};

	if (json_check_value(text, size) == 0) {
		outcome.value = outcome.out.kept;
		outcome.value_present = true;
	}
	mcp_render(&(struct door_answer){.outcome = &outcome,
					 .job = &mcp->job,
					 .limits = limits,
					 .id = "id"},
		   reply);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct bytes packages = {
		(char *)(uintptr_t)"{\"packages\":[]}", 15};
	const struct limits limits = {.timeout_ms = 1000, .value_kb = 64};
	const struct door_limits most = {
		.timeout_ms = 1000, .memory_mb = 100, .files = 5,
		.home_bytes = 100, .threads = 5, .cores = 3,
		.sessions = true, .content_type = "application/json"};
	const struct mcp_facts facts = {.most = &most, .limits = &limits,
					.packages = &packages,
					.python = "3"};
	struct reply reply;

	if (size < 2)
		return 0;
	struct mcp mcp = {.kind = data[0] & 0x80 ? &mcp_kind_old
						 : &mcp_kind_present,
			  .facts = &facts,
			  .headers = &headers[data[0] % ARRAY_LEN(headers)],
			  .job.body = {malloc(size), size - 1}};

	want(mcp.job.body.data);
	memcpy(mcp.job.body.data, data + 1, size - 1);
	mcp.job.body.data[size - 1] = '\0';
	reply_init(&reply);
	mcp_read(&mcp, &reply);
	if (mcp.run) {
		want(mcp.job.code.data && mcp.id.size <= MCP_ID_MAX);
		for (size_t i = 0; i < mcp.job.files_count; i++)
			want(!job_file_name_fault(mcp.job.files[i].name));
		if (mcp.token.data)
			fuzz_progress(&mcp, data + 1, size - 1);
		fuzz_run(&mcp, &limits, data + 1, size - 1, &reply);
	}
	if (mcp.fetch)
		fuzz_fetch(&mcp, data + 1, size - 1, &reply);
	fuzz_reply(&reply, reply.status == 202);
	reply_free(&reply);
	mcp_free(&mcp);
	return 0;
}
