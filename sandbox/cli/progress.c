/* progress - see progress.h. */
#include "progress.h"

#include <stdio.h>

#include "sandbox/base/io.h"

#define PROGRESS_CLEAR "\r\033[K" /* go to the line's start, and erase it */

static double progress_seconds(const struct progress *progress)
{
	return (double)(io_now_ms() - progress->start) / 1000;
}

void progress_begin(struct progress *progress, const char *what,
		    unsigned limit_ms, bool quiet)
{
	*progress = (struct progress){.what = what, .limit_ms = limit_ms,
				      .start = io_now_ms(), .quiet = quiet,
				      .terminal = isatty(STDERR_FILENO)};
	if (!quiet && !progress->terminal)
		fprintf(stderr, "terrarium: %s runs, for %g s at most\n", what,
			limit_ms / 1000.0);
}

void progress_tick(void *context)
{
	static const char wheel[] = "|/-\\";
	struct progress *progress = context;

	if (progress->quiet || !progress->terminal || progress->yielded)
		return;
	fprintf(stderr, PROGRESS_CLEAR "%c %s %.1f s of %g s",
		wheel[progress->frame++ % 4], progress->what,
		progress_seconds(progress), progress->limit_ms / 1000.0);
}

void progress_yield(struct progress *progress, int fd, char last)
{
	if (progress->quiet || !progress->terminal || !isatty(fd))
		return;
	if (!progress->yielded)
		fputs(PROGRESS_CLEAR, stderr);
	progress->yielded = true;
	progress->open_line = last != '\n';
}

void progress_end(struct progress *progress, const char *how)
{
	const char *begin = progress->open_line ? "\n"
			  : progress->terminal && !progress->yielded
				  ? PROGRESS_CLEAR : "";

	if (progress->quiet)
		return;
	fprintf(stderr, "%sterrarium: %s: %s after %.1f s\n", begin,
		progress->what, how,
		progress_seconds(progress));
}
