/*
 * io - reading, writing and telling the time, with the loops that
 * read(2), write(2) and poll(2) want around them.
 */
#ifndef TERRARIUM_IO_H
#define TERRARIUM_IO_H

#include "job.h"

/* Read exactly SIZE bytes. -EPIPE when the other side ended before. */
int io_read_full(int fd, void *data, size_t size);

/* Write exactly SIZE bytes to a blocking descriptor. */
int io_write_full(int fd, const void *data, size_t size);

/* Write TEXT to the existing file NAME below DIR (AT_FDCWD: a path). */
int io_write_file(int dir, const char *name, const char *text);

/* Read the file NAME below DIR, at most MAX bytes (else -EFBIG), into OUT,
 * with a NUL behind it that SIZE does not count. Release OUT->data. */
int io_read_file(int dir, const char *name, size_t max, struct bytes *out);

/* The same for an open descriptor, from its present position. */
int io_read_fd(int fd, size_t max, struct bytes *out);

/* Read one whole number from an open kernel file, from its start. */
int io_read_number(int fd, uint64_t *out);

/* Give the memory of the whole pages from FROM to END back to the kernel, which
 * leaves zeros. Returns where they end: what follows can be given later. */
char *io_give_back(char *from, const char *end);

/* Memory from FROM to END will be written whole: take large pages for it if
 * there are any, which takes fewer faults. */
void io_want_large_pages(char *from, const char *end);

int io_set_nonblocking(int fd, bool on);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t io_now_ms(void);

/* Wait until FD is readable. 1 readable or hung up, 0 after TIMEOUT_MS. */
int io_wait_readable(int fd, int timeout_ms);

#endif
