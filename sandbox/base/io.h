/*
 * io - reading, writing and waiting, with the loops that read(2), write(2) and
 * poll(2) need, and the clock.
 */
#ifndef TERRARIUM_IO_H
#define TERRARIUM_IO_H

#include "job.h"

/* Read exactly SIZE bytes. 0; -EPIPE if the data ends earlier; or another
 * negative errno value. */
int io_read_full(int fd, void *data, size_t size);

/* Write exactly SIZE bytes to a blocking descriptor. 0 or a negative errno
 * value. */
int io_write_full(int fd, const void *data, size_t size);

/* Write TEXT to the existing file NAME in the directory DIR (AT_FDCWD: NAME is
 * a path). 0 or a negative errno value. */
int io_write_file(int dir, const char *name, const char *text);

/* Read the file NAME in the directory DIR into OUT. A file of more than MAX
 * bytes fails with -EFBIG. A NUL follows the data, and OUT->size does not count
 * it. The caller frees OUT->data. 0 or a negative errno value. */
int io_read_file(int dir, const char *name, size_t max, struct bytes *out);

/* The same for an open file, from its present position. */
int io_read_fd(int fd, size_t max, struct bytes *out);

/* Read the decimal number at the start of an open kernel file. 0, -EINVAL if
 * there is none, or another negative errno value. */
int io_read_number(int fd, uint64_t *out);

/* Return the memory of the whole pages between FROM and END to the kernel; they
 * read as zeros afterwards. Returns the end of these pages: the rest can be
 * returned later. */
char *io_release_pages(char *from, const char *end);

/* Ask for huge pages for the memory from FROM to END, which will be written as
 * a whole. They save page faults. */
void io_ask_huge_pages(char *from, const char *end);

/* Set or clear O_NONBLOCK. 0 or a negative errno value. */
int io_set_nonblocking(int fd, bool on);

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t io_now_ms(void);
int64_t io_now_us(void);

/* Wait until FD is readable or hung up. 1; 0 after TIMEOUT_MS; or a negative
 * errno value. */
int io_wait_readable(int fd, int timeout_ms);

#endif
