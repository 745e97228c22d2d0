/* stage - see stage.h. */
#include "stage.h"

#include "stall.h"

static const char *const stage_names[STAGE_STEPS] = {
	[STAGE_BEGIN] = "begin",
	[STAGE_NAMESPACES] = "enter namespaces",
	[STAGE_TRACER_IMPORTS] = "tracer imports",
	[STAGE_TRACER_PROGRAMS] = "tracer programs",
	[STAGE_IMPORT] = "import preload",
	[STAGE_FREEZE] = "freeze",
	[STAGE_PREFAULT] = "prefault",
	[STAGE_REHEARSE] = "rehearse a request",
	[STAGE_ARM] = "arm workers",
};

static struct stage *stage_present;

void stage_begin(struct stage *stage)
{
	for (size_t i = 0; i < STAGE_PIDS; i++)
		atomic_store(&stage->pids[i], 0);
	stage_set(stage, STAGE_BEGIN);
}

void stage_set(struct stage *stage, enum stage_step step)
{
	atomic_store(&stage->step, step);
	atomic_fetch_add(&stage->moves, 1);
}

void stage_use(struct stage *stage)
{
	stage_present = stage;
}

void stage_enter(enum stage_step step)
{
	if (stage_present)
		stage_set(stage_present, step);
}

void stage_join(pid_t pid)
{
	if (!stage_present)
		return;
	unsigned place = atomic_fetch_add(&stage_present->joined, 1);

	atomic_store(&stage_present->pids[place % STAGE_PIDS], pid);
}

const char *stage_words(const struct stage *stage)
{
	unsigned step = atomic_load(&stage->step);

	return stage_names[step < STAGE_STEPS ? step : STAGE_BEGIN];
}

uint64_t stage_moved(const struct stage *stage, pid_t pid)
{
	uint64_t moved = stall_cpu_ns(pid) + atomic_load(&stage->moves) +
			 atomic_load(&stage->joined);

	for (size_t i = 0; i < STAGE_PIDS; i++)
		moved += stall_cpu_ns(atomic_load(&stage->pids[i]));
	return moved;
}
