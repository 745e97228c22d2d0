/* trace - see trace.h. */
#include "trace.h"

#include "sandbox/base/anon_pages.h"

struct trace *trace_open(void)
{
	return anon_pages_open(sizeof(struct trace), true);
}

void trace_close(struct trace **trace)
{
	anon_pages_close(*trace, sizeof(**trace));
	*trace = NULL;
}

uint16_t trace_size(const struct python_block *block)
{
	return block->size < UINT16_MAX ? (uint16_t)block->size : UINT16_MAX;
}

uint32_t trace_add(struct trace *trace, const struct python_block *block)
{
	if (trace->count == TRACE_BLOCKS_MAX - 1 ||
	    block->phase >= TRACE_PHASES)
		return 0;
	if (block->number == 1)
		trace->begins[block->phase] = trace->count;
	trace->sizes[++trace->count] = trace_size(block);
	return trace->count;
}
