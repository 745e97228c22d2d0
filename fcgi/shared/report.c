/* report - see report.h. */
#include "report.h"

#include <errno.h>

#include "sandbox/base/log.h"
#include "sandbox/base/outcome.h"

void report_send(int fd, const struct report *report)
{
	struct report sent = *report;

	sent.log_dropped = (uint32_t)log_take_dropped();
	/* Without a pool process, or with a full pipe, the worker serves
	 * anyway. */
	if (write(fd, &sent, sizeof(sent)) < 0 && errno != EPIPE)
		log_warn("report to the pool: %s", log_errno(errno));
}

int report_read(int fd, struct report *report, unsigned slots)
{
	for (;;) {
		ssize_t n = read(fd, report, sizeof(*report));

		if (n < 0 && errno == EINTR)
			continue;
		if (n != (ssize_t)sizeof(*report))
			return 0;
		if (report->event == REPORT_DONE) {
			report->client[REPORT_NAME_MAX - 1] = '\0';
			report->door[REPORT_NAME_MAX - 1] = '\0';
		}
		report->error[REPORT_ERROR_MAX - 1] = '\0';
		if (report->event < REPORT_EVENTS && report->slot < slots &&
		    report->verdict < OUTCOME_VERDICTS)
			return 1;
		log_warn("invalid report of a worker ignored");
	}
}
