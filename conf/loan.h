/*
 * loan - a configuration that is read by another process.
 *
 * Reading leaves the text and its lines all over a heap and a stack. A
 * process from which guests are forked must not have them there, so it has a
 * child read; the values come in pages of their own, which are let go when
 * they are not needed any more.
 */
#ifndef TERRARIUM_LOAN_H
#define TERRARIUM_LOAN_H

#include "conf.h"

struct conf_loan;

/* Read the configuration behind FD, from its start, into CONF, whose texts
 * are on loan: children have them too, until each lets go. 0, or a negative
 * errno value with a sentence in ERROR. */
int conf_borrow(int fd, struct conf_loan **loan, struct conf *conf,
		char error[CONF_ERROR_MAX]);

/* Let go: from here on every text of CONF is "". */
void conf_forget_texts(struct conf_loan **loan, struct conf *conf);

/* Let go, and have copies instead, to be released by conf_free(). 0, or
 * -ENOMEM and what conf_forget_texts() does. */
int conf_own_texts(struct conf_loan **loan, struct conf *conf);

#endif
