/* solver_result - see solver_result.h. Writing it is in solver_result_reply.c.
 */
#include "solver_result.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sandbox/text/json.h"
#include "solver_job.h"

const char *const solver_result_status_names[SOLVER_RESULT_STATUSES] = {
	[SOLVER_RESULT_OPTIMAL] = "optimal",
	[SOLVER_RESULT_FEASIBLE] = "feasible",
	[SOLVER_RESULT_INFEASIBLE] = "infeasible",
	[SOLVER_RESULT_UNKNOWN] = "unknown",
	[SOLVER_RESULT_TIMEOUT] = "timeout",
	[SOLVER_RESULT_TIMEOUT_WITH_SOLUTION] = "timeout_with_solution",
	[SOLVER_RESULT_CRASHED] = "crashed",
};

/* ---- result.json ----------------------------------------------------- */

static const struct outcome_file *find_result(const struct outcome *outcome)
{
	for (size_t i = 0; i < outcome->files_count; i++)
		if (strcmp(outcome->files[i].name, SOLVER_JOB_RESULT) == 0)
			return &outcome->files[i];
	return NULL;
}

static int read_file(const struct outcome_file *file, struct bytes *out)
{
	out->data = malloc(file->size + 1);
	if (!out->data)
		return -ENOMEM;
	while (out->size < file->size) {
		ssize_t n = pread(file->fd, out->data + out->size,
				  file->size - out->size, (off_t)out->size);

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		out->size += (size_t)n;
	}
	out->data[out->size] = '\0';
	return 0;
}

static size_t count_items(struct json_span span)
{
	struct json_walk walk = json_walk(span);
	size_t count = 0;

	while (json_next(&walk))
		count++;
	return count;
}

/* Solvers write their own libraries' words: OPTIMAL is optimal. */
static bool take_status(struct solver_result *verdict, struct json_span span)
{
	struct bytes word;
	bool found = false;

	if (json_kind(span) != JSON_STRING || json_string(span, &word) < 0)
		return false;
	for (int i = SOLVER_RESULT_OPTIMAL;
	     i <= SOLVER_RESULT_UNKNOWN && !found; i++) {
		found = strcasecmp(word.data, solver_result_status_names[i]) ==
			0;
		if (found)
			verdict->status = (enum solver_result_status)i;
	}
	free(word.data);
	return found;
}

/* NULL, or what is wrong with the result. */
static const char *take_result(struct solver_result *verdict)
{
	const struct bytes *text = &verdict->result;
	struct json_span status, schedule, assignments;

	if (json_check_value(text->data, text->size) < 0)
		return "result.json is not JSON";
	struct json_span whole = json_whole(text->data, text->size);

	if (json_kind(whole) != JSON_OBJECT)
		return "result.json is not an object";
	if (!json_member(whole, "status", &status) ||
	    !take_status(verdict, status))
		return "result.json: status must be optimal, feasible, "
		       "infeasible or unknown";
	if (!json_member(whole, "schedule", &schedule) ||
	    json_kind(schedule) != JSON_ARRAY)
		return "result.json: schedule must be an array";
	verdict->scheduled = count_items(schedule);
	if (json_member(whole, "assignments", &assignments) &&
	    json_kind(assignments) == JSON_ARRAY) {
		size_t all = count_items(assignments);

		verdict->unscheduled = all > verdict->scheduled
					       ? all - verdict->scheduled : 0;
	}
	return NULL;
}

static int load_result(struct solver_result *verdict,
		       const struct outcome *outcome,
		       const struct limits *limits)
{
	const struct outcome_file *file = find_result(outcome);

	if (!file) {
		verdict->why = outcome->files_dropped > 0
			? "result.json is not among the files that were "
			  "taken: it was not written, or is larger than they "
			  "may be"
			: "result.json was not written";
		return 0;
	}
	if (file->size > (uint64_t)limits->value_kb << 10) {
		verdict->why = "result.json is larger than a value may be";
		return 0;
	}
	int rc = read_file(file, &verdict->result);

	if (rc == 0)
		verdict->why = take_result(verdict);
	if (rc < 0 || verdict->why)
		free(take_ptr(&verdict->result.data));
	if (!verdict->result.data)
		verdict->result.size = 0;
	return rc;
}

/* ---- judging --------------------------------------------------------- */

static void judge_timeout(struct solver_result *verdict)
{
	bool solved = verdict->result.data && verdict->scheduled > 0;

	verdict->phase = SOLVER_RESULT_RUN;
	verdict->status = solved ? SOLVER_RESULT_TIMEOUT_WITH_SOLUTION
				 : SOLVER_RESULT_TIMEOUT;
	verdict->why = NULL;
}

static void judge_crash(struct solver_result *verdict,
			enum solver_result_phase phase)
{
	verdict->phase = phase;
	verdict->status = SOLVER_RESULT_CRASHED;
}

/* It ended with 0: what counts is what it has written. */
static void judge_result(struct solver_result *verdict,
			 const struct outcome *outcome)
{
	if (outcome->probe.marked > 1)
		verdict->why = SOLVER_JOB_MARKER " was printed more than once";
	if (verdict->why) {
		judge_crash(verdict, SOLVER_RESULT_PARSE);
		return;
	}
	verdict->phase = SOLVER_RESULT_SERIALIZE;
	if (verdict->scheduled == 0 &&
	    verdict->status <= SOLVER_RESULT_FEASIBLE)
		verdict->status = SOLVER_RESULT_INFEASIBLE;
	verdict->ok = verdict->status <= SOLVER_RESULT_FEASIBLE;
}

int solver_result_make(struct solver_result *verdict,
		       const struct outcome *outcome,
		       const struct limits *limits)
{
	*verdict = (struct solver_result){0};
	int rc = load_result(verdict, outcome, limits);

	if (rc < 0)
		return rc;
	if (outcome->probe.phase == OUTCOME_COMPILE &&
	    outcome->verdict == OUTCOME_RAISED) {
		judge_crash(verdict, SOLVER_RESULT_COMPILE);
		verdict->why = NULL;
	} else if (outcome->verdict == OUTCOME_TIMEOUT) {
		judge_timeout(verdict);
	} else if (outcome->exit_code != 0) {
		judge_crash(verdict, SOLVER_RESULT_RUN);
		verdict->why = NULL;
	} else {
		judge_result(verdict, outcome);
	}
	return 0;
}

void solver_result_free(struct solver_result *verdict)
{
	free(verdict->result.data);
	*verdict = (struct solver_result){0};
}
