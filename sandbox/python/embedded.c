/* embedded - see embedded.h. */
#include "embedded.h"

#include "sandbox/base/base.h"

/* The runner: X(ROOM, NAME) is the file ROOM/NAME.py. A file can import those
 * before it. C calls the last one. */
#define EMBEDDED_RUNNER(X) \
	X(runner, own) X(runner, stand_ins) \
	X(libraries, adopt) \
	X(runner, forks) X(runner, deadline) X(runner, texts) \
	X(runner, channels) X(runner, where) X(runner, values) X(runner, job) \
	X(syntax, newer_strings) X(syntax, newer_statements) \
	X(syntax, newer_syntax) \
	X(hints, missing) X(hints, refusals) X(hints, case) \
	X(hints, renamed) X(hints, hints_places) X(hints, hints_names) \
	X(hints, hints) X(hints, notes) \
	X(runner, errors) X(runner, tables) X(runner, forms) \
	X(charts, chartdata) X(runner, display) \
	X(charts, plotly_axes) X(charts, plotly_bars) \
	X(charts, plotly_traces) X(charts, plotly_pictures) \
	X(notebook, notebook) X(notebook, nested_loops) X(notebook, services) \
	X(notebook, filters) X(notebook, commands) \
	X(notebook, magics) \
	X(notebook, installer) X(notebook, viewers) \
	X(charts, rtl) X(charts, fonts) X(charts, settings) \
	X(charts, figures) \
	X(processes, locks) X(processes, processes) X(processes, exchange) \
	X(processes, shared) X(processes, draws) \
	X(libraries, kernel) X(libraries, flock) X(libraries, libraries) \
	X(libraries, cffi_calls) X(libraries, plain_numba) \
	X(libraries, aliases) X(libraries, adapted) \
	X(newer, newer) X(newer, newer_python) \
	X(newer, newer_tables) X(newer, newer_queries) \
	X(newer, newer_files) \
	X(newer, newer_refusals) X(newer, newer_models) \
	X(newer, newer_fields) \
	X(newer, newer_pages) X(newer, newer_pdfs) X(newer, newer_texts) \
	X(newer, newer_databases) X(science, newer_science) \
	X(science, newer_shapes) X(science, newer_trees) \
	X(science, newer_statistics) X(science, newer_learning) \
	X(science, newer_clusters) X(science, newer_encoders) \
	X(science, newer_maps) X(science, newer_layers) \
	X(science, newer_drawing) X(science, newer_plots) \
	X(libraries, solvers) \
	X(charts, typefaces) \
	X(libraries, nltk_data) X(libraries, machine) \
	X(processes, thread_pools) \
	X(runner, snippet) X(runner, program) X(runner, chance) X(runner, preload) \
	X(runner, run) X(runner, session)

#define RUNNER_ROW(room, name) #name,

const char *const embedded_runner[] = {EMBEDDED_RUNNER(RUNNER_ROW)};
const size_t embedded_runner_count = ARRAY_LEN(embedded_runner);

/* The file of tools/embed-python, which the assembler includes. */
__asm__(".pushsection .rodata\n"
	".globl embedded_python\n"
	"embedded_python:\n"
	".incbin \"" EMBEDDED_PYTHON "\"\n"
	"embedded_python_end:\n"
	".balign 8\n"
	".globl embedded_python_size\n"
	"embedded_python_size:\n"
	".quad embedded_python_end - embedded_python\n"
	".popsection\n");
