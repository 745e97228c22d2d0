/*
 * steps - work that is done in a fixed order and ends at the first failure.
 *
 * The order is a table. A row has a function and its name, in the imperative
 * ("mount home"). The name becomes the error's text.
 */
#ifndef TERRARIUM_STEPS_H
#define TERRARIUM_STEPS_H

#include "base.h"

/* The type of a row. TAKE gets one argument, of the type CONTEXT, and returns a
 * negative errno value when the step has failed. */
#define STEP(context)                                                        \
	struct {                                                             \
		const char *name;                                            \
		int (*take)(context);                                        \
	}

/*
 * Take the steps of the array TABLE with CONTEXT, in order, up to the first
 * that fails. Returns 0 or that step's errno value; then ERROR, of SIZE bytes,
 * is "NAME: REASON", unless the step has written a text of its own to ERROR.
 * A macro, so that each table keeps the type of its context.
 */
#define steps_take(table, context, error, size)                              \
	({                                                                   \
		int steps_rc_ = 0;                                           \
		*(error) = '\0';                                             \
		for (size_t step_ = 0;                                       \
		     step_ < ARRAY_LEN(table) && steps_rc_ >= 0; step_++) {  \
			steps_rc_ = (table)[step_].take(context);            \
			if (steps_rc_ < 0)                                   \
				steps_explain(error, size,                   \
					      (table)[step_].name,           \
					      steps_rc_);                    \
		}                                                            \
		steps_rc_ < 0 ? steps_rc_ : 0;                               \
	})

/* Write "NAME: REASON" to ERROR, of SIZE bytes, if it is empty. RC is a
 * negative errno value. */
void steps_explain(char *error, size_t size, const char *name, int rc);

#endif
