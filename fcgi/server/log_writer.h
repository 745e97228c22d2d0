/*
 * log_writer - the process that writes the log to a file, to syslog, or both.
 *
 * Without log.file and log.syslog there is none, and all processes write to the
 * standard error that the server was started with. With one of them, standard
 * error of all processes is a pipe. The master holds both ends, so that lines
 * wait in it while the writer is replaced. A writer that waits for a
 * disk or for syslog delays no request: the pipe is not blocking.
 */
#ifndef TERRARIUM_LOG_WRITER_H
#define TERRARIUM_LOG_WRITER_H

#include "conf/conf.h"

#define LOG_WRITER_ERROR_MAX 200

struct log_writer {
	const char *file, *syslog; /* borrowed; an empty text: none */
	int in;			   /* the pipe's end for the writer, or -1 */
	int started_with;	   /* the former standard error */
};

/* Make standard error a pipe if CONF names a file or a syslog. Returns 0, or a
 * negative errno value and a sentence in ERROR. */
int log_writer_open(const struct conf *conf, struct log_writer *writer,
		    char error[LOG_WRITER_ERROR_MAX]);

/* Let the calling process log to the former standard error again, so that the
 * writer meets the end of its input when all other processes are gone. */
void log_writer_close(struct log_writer *writer);

/* Be the writer until no process can write to the pipe any more. USR1 makes it
 * open the file again. Both of its signals must be open or blocked only by the
 * caller. */
_Noreturn void log_writer_main(const struct log_writer *writer);

#endif
