/* layout - see sandbox/prefork/layout.h. */
#include "sandbox/prefork/layout.h"

#include <errno.h>
#include <fcntl.h>

#include "block_layout.h"
#include "sandbox/base/anon_pages.h"
#include "sandbox/base/log.h"
#include "sandbox/base/stage.h"
#include "trace_file.h"
#include "write_tracer.h"

/* A start that meets less of its trace than so many of 10 blocks followed a
 * wrong trace: it is not kept. */
#define LAYOUT_MET_OF_TEN 9u

/* In a mapping of its own: the key has paths of the host, which must not stay
 * in a heap that guests are forked with. */
struct layout {
	const struct layout_plan *plan;
	struct trace *trace;
	bool kept; /* the trace is of an earlier start */
	int dir; /* where a trace can be kept; -1: nowhere */
	struct trace_file_key key;
};

static void layout_open_dir(struct layout *layout)
{
	const struct layout_plan *plan = layout->plan;
	int rc = 0;

	if (!plan->keep_dir)
		return;
	layout->dir = open(plan->keep_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (layout->dir < 0)
		rc = -errno;
	if (rc == 0)
		rc = trace_file_make_key(&layout->key, plan->options,
					 plan->option_count);
	if (rc == 0)
		return;
	base_release_fd(&layout->dir);
	log_warn("layout: no trace can be kept: reason=\"%s\"",
		 log_errno(rc));
}

static int layout_read(struct layout *layout)
{
	struct trace_file_refused refused;

	if (layout->dir < 0)
		return -ENOENT;
	int rc = trace_file_read(layout->dir, &layout->key, layout->trace,
				 &refused);

	if (rc < 0 && rc != -ENOENT)
		log_info("layout: kept trace refused: reason=\"%s\" "
			 "path=\"%s\" error=\"%s\"",
			 refused.reason, refused.path, log_errno(rc));
	return rc;
}

/* Get a trace and follow it. */
static int layout_prepare(struct layout *layout)
{
	const struct layout_plan *plan = layout->plan;

	layout->trace = trace_open();
	if (!layout->trace)
		return -ENOMEM;
	layout->kept = layout_read(layout) == 0;
	int rc = 0;

	if (!layout->kept) {
		stage_enter(STAGE_TRACER_IMPORTS);
		rc = write_tracer_learn(plan->boot, plan->context, plan->limits,
					layout->trace);
	}
	return rc < 0 ? rc : block_layout_begin(layout->trace);
}

static void layout_close(struct layout **layout)
{
	trace_close(&(*layout)->trace);
	base_release_fd(&(*layout)->dir);
	anon_pages_close(*layout, sizeof(**layout));
	*layout = NULL;
}

struct layout *layout_begin(const struct layout_plan *plan)
{
	struct layout *layout = anon_pages_open(sizeof(*layout), false);
	int rc = layout ? 0 : -ENOMEM;

	if (rc == 0) {
		layout->plan = plan;
		layout->dir = -1;
		layout_open_dir(layout);
		rc = layout_prepare(layout);
	}
	if (rc == 0)
		return layout;
	log_warn("layout: off, guests copy more pages: reason=\"%s\"",
		 log_errno(rc));
	if (layout)
		layout_close(&layout);
	return NULL;
}

/* Keep a trace that has proved good, and remove one that has not. */
static void layout_keep(struct layout *layout,
			const struct block_layout_report *report)
{
	bool good = report->count > 0 &&
		    report->found >= report->count / 10 * LAYOUT_MET_OF_TEN;
	int rc = 0;

	if (layout->dir < 0)
		return;
	if (!good) {
		log_info("layout: trace not kept: "
			 "reason=\"this start differs from it\"");
		trace_file_remove(layout->dir);
	} else if (!layout->kept) {
		rc = trace_file_write(layout->dir, &layout->key, layout->trace);
	}
	if (rc < 0)
		log_warn("layout: trace not kept: reason=\"%s\"",
			 log_errno(rc));
}

void layout_end(struct layout **layout)
{
	struct block_layout_report report;

	if (!*layout)
		return;
	block_layout_end(&report);
	log_info("layout: source=%s grouped=%u of=%u size_kb=%zu",
		 (*layout)->kept ? "kept" : "traced", report.found,
		 report.count, report.bytes >> 10);
	layout_keep(*layout, &report);
	layout_close(layout);
}
