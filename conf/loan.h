/*
 * loan - a configuration that a child process has read.
 *
 * Reading leaves parts of the text in the heap and the stack. A process from
 * which guests are forked must not have them there. So a child of it reads the
 * file, and returns the values in pages of their own. The process unmaps these
 * pages when it no longer needs them.
 */
#ifndef TERRARIUM_LOAN_H
#define TERRARIUM_LOAN_H

#include "conf.h"

struct loan;

/* Read the configuration of FD, from its start, into CONF. Its texts are on
 * loan: they lie in LOAN's pages, which later children have, too, until each
 * drops them. 0, or a negative errno value with a sentence in ERROR. */
int loan_read(int fd, struct loan **loan, struct conf *conf,
	      char error[CONF_ERROR_MAX]);

/* Drop the texts: from here on every text of CONF is "". */
void loan_drop(struct loan **loan, struct conf *conf);

/* Drop the loan, and keep copies of the texts, to be released by conf_free().
 * 0, or -ENOMEM after a loan_drop(). */
int loan_copy(struct loan **loan, struct conf *conf);

#endif
