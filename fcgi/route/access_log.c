/* access_log - see access_log.h; docs/operations.md has the members. */
#include "access_log.h"

#include <string.h>

#include "sandbox/text/text.h"

#define ACCESS_LOG_NAME_MAX 64 /* bytes of a name that others have chosen */
#define ACCESS_LOG_CALL 5 /* rows that tell which call it is */
#define ACCESS_LOG_FRAME_MAX 250 /* bytes of a frame of a traceback */
/* Bytes of a line to which no frame is added, so that it can be written. */
#define ACCESS_LOG_FULL (LOG_RECORD_MAX - 8)

static void access_log_text(struct text *line, const char *text)
{
	text_add_json(line, text, strnlen(text, ACCESS_LOG_NAME_MAX));
}

static void access_log_number(struct text *line, uint64_t number)
{
	text_format(line, "%ju", (uintmax_t)number);
}

static void access_log_time(const struct route_call *call, struct text *line)
{
	char time[LOG_TIME_SIZE];

	(void)call;
	log_time(time);
	text_format(line, "\"%s\"", time);
}

static void access_log_id(const struct route_call *call, struct text *line)
{
	access_log_text(line, request_id(call->request));
}

static void access_log_client(const struct route_call *call, struct text *line)
{
	access_log_text(line,
			request_param(call->request, "TERRARIUM_CLIENT"));
}

static void access_log_path(const struct route_call *call, struct text *line)
{
	access_log_text(line, request_param(call->request, "DOCUMENT_URI"));
}

static void access_log_door(const struct route_call *call, struct text *line)
{
	if (call->door)
		access_log_text(line, call->door->name);
}

static void access_log_status(const struct route_call *call, struct text *line)
{
	access_log_number(line, (uint64_t)call->reply.status);
}

static void access_log_outcome(const struct route_call *call, struct text *line)
{
	if (call->report.ran)
		access_log_text(line,
				outcome_rows[call->outcome.verdict].name);
}

/* The class of the exception that ended the program. */
static void access_log_exception(const struct route_call *call,
				 struct text *line)
{
	if (call->report.ran && call->outcome.verdict == OUTCOME_RAISED &&
	    call->outcome.error_type)
		access_log_text(line, call->outcome.error_type);
}

/* Why nothing ran: the code that the client got. */
static void access_log_reason(const struct route_call *call, struct text *line)
{
	if (call->why.status)
		access_log_text(line, call->why.code);
}

/* The sentence with the reason. It names the field. */
static void access_log_message(const struct route_call *call, struct text *line)
{
	if (call->why.status)
		text_add_json(line, call->why.message,
			      strnlen(call->why.message,
				      sizeof(call->why.message)));
}

static void access_log_queue(const struct route_call *call, struct text *line)
{
	if (call->report.ran)
		access_log_number(line, call->outcome.queue_ms);
}

static void access_log_run(const struct route_call *call, struct text *line)
{
	if (call->report.ran)
		access_log_number(line, call->outcome.runtime_ms);
}

static void access_log_cpu(const struct route_call *call, struct text *line)
{
	if (call->report.ran)
		access_log_number(line, call->outcome.cpu_ms);
}

static void access_log_memory(const struct route_call *call, struct text *line)
{
	if (call->report.ran)
		access_log_number(line, call->outcome.memory_peak_kb);
}

static void access_log_total(const struct route_call *call, struct text *line)
{
	access_log_number(line, call->report.total_ms);
}

static void access_log_in(const struct route_call *call, struct text *line)
{
	access_log_number(line, call->report.bytes_in);
}

static void access_log_out(const struct route_call *call, struct text *line)
{
	access_log_number(line, call->report.bytes_out);
}

/* Each limit that the run has reached, by the name of its option. */
static void access_log_limits(const struct route_call *call, struct text *line)
{
	const struct outcome *of = &call->outcome;
	const struct {
		const char *name;
		bool hit;
	} rows[] = {
		{"timeout_ms", of->verdict == OUTCOME_TIMEOUT},
		{"memory_mb", of->verdict == OUTCOME_MEMORY},
		{"flood_mb", of->verdict == OUTCOME_OUTPUT},
		{"output_kb", of->out.dropped || of->err.dropped},
		{"files_out", of->files_dropped > 0},
		{"displays", of->displays_dropped > 0},
	};
	const char *comma = "[";

	for (size_t i = 0; i < ARRAY_LEN(rows) && call->report.ran; i++)
		if (rows[i].hit) {
			text_format(line, "%s\"%s\"", comma, rows[i].name);
			comma = ",";
		}
	if (*comma == ',')
		text_add(line, "]", 1);
}

static void access_log_slow(const struct route_call *call, struct text *line)
{
	if (call->report.slow)
		text_add(line, "true", 4);
}

/* To log one more fact, add a row. A member without a value is left out. The
 * first ACCESS_LOG_CALL are those of a line of a slow run, too. */
static const struct access_log_row {
	const char *name;
	void (*add)(const struct route_call *call, struct text *line);
} access_log_rows[] = {
	{"time", access_log_time},
	{"id", access_log_id},
	{"client", access_log_client},
	{"path", access_log_path},
	{"door", access_log_door},
	{"status", access_log_status},
	{"outcome", access_log_outcome},
	{"exception", access_log_exception},
	{"reason", access_log_reason},
	{"message", access_log_message},
	{"queue_ms", access_log_queue},
	{"runtime_ms", access_log_run},
	{"cpu_ms", access_log_cpu},
	{"memory_peak_kb", access_log_memory},
	{"total_ms", access_log_total},
	{"bytes_in", access_log_in},
	{"bytes_out", access_log_out},
	{"limits", access_log_limits},
	{"slow", access_log_slow},
};

static void access_log_add(const struct access_log_row *row,
			   const struct route_call *call, struct text *line)
{
	const size_t before = line->size;

	text_format(line, "%c\"%s\":", before ? ',' : '{', row->name);
	const size_t value = line->size;

	row->add(call, line);
	if (line->size == value)
		line->size = before;
}

/* ---- slow runs ------------------------------------------------------- */

/* Add one frame, if there is room for it. */
static void access_log_frame(struct text *line, const char *frame, size_t size,
			     bool first)
{
	const size_t before = line->size;

	text_add(line, first ? "" : ",", !first);
	text_add_json(line, frame,
		      size < ACCESS_LOG_FRAME_MAX ? size
						  : ACCESS_LOG_FRAME_MAX);
	if (line->size > ACCESS_LOG_FULL)
		line->size = before;
}

static void access_log_traceback(struct text *line, const struct bytes *where)
{
	const char *at = where->data, *end = at + where->size;

	text_format(line, ",\"traceback\":[");
	for (bool first = true; at < end; first = false) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		const size_t size = (size_t)((stop ? stop : end) - at);

		access_log_frame(line, at, size, first);
		at += size + 1;
	}
	text_add(line, "]", 1);
}

void access_log_tell_slow(void *context, const struct bytes *where, int64_t ms)
{
	const struct route_call *call = context;
	struct text line = {0};

	for (size_t i = 0; i < ACCESS_LOG_CALL; i++)
		access_log_add(&access_log_rows[i], call, &line);
	text_format(&line, ",\"event\":\"slow\",\"seconds\":%lld.%03lld",
		    (long long)ms / 1000, (long long)ms % 1000);
	if (where)
		access_log_traceback(&line, where);
	text_add(&line, "}", 1);
	if (line.error == 0)
		log_record(LOG_LEVEL_WARN, line.data, line.size);
	text_free(&line);
}

void access_log_write(const struct route_call *call)
{
	struct text line = {0};

	if (!call->conf->access_log && !call->report.slow)
		return;
	for (size_t i = 0; i < ARRAY_LEN(access_log_rows); i++)
		access_log_add(&access_log_rows[i], call, &line);
	text_add(&line, "}", 1);
	if (line.error == 0)
		log_record(call->report.slow ? LOG_LEVEL_WARN : LOG_LEVEL_INFO,
			   line.data, line.size);
	text_free(&line);
}
