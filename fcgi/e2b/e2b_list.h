/*
 * e2b_list - the list of a client's sandboxes: what its query asks for, and the
 * answer.
 */
#ifndef TERRARIUM_E2B_LIST_H
#define TERRARIUM_E2B_LIST_H

#include "e2b_reply.h"
#include "sandbox/text/text.h"

struct e2b_list_row {
	int64_t began;
	char *text; /* the detail as JSON */
};

/* Begins empty. */
struct e2b_list {
	struct bytes state, metadata, order, template; /* of the query */
	unsigned limit, from;
	bool once; /* metadata is encoded once, not twice */
	/* Write the object of a sandbox; NULL: E2B's detail. */
	void (*put)(struct reply *reply, const struct e2b_sandbox *sandbox);
	int64_t after;
	struct e2b_list_row *rows;
	size_t count;
};

/* Read QUERY. 0, or a negative errno value with *WHY: 400. Release LIST in any
 * case. */
int e2b_list_read(struct e2b_list *list, const char *query,
		  struct refusal *why);
void e2b_list_free(struct e2b_list *list);

/* Add SANDBOX, if it is one that is asked for. 0 or -ENOMEM. */
int e2b_list_add(struct e2b_list *list, const struct e2b_sandbox *sandbox);

/* For another API: read the number NAME of QUERY from LEAST to MOST, if it is
 * there. As e2b_list_read(). And put the rows in order, the newest first, or the
 * oldest. */
int e2b_list_number(const char *query, const char *name, unsigned least,
		    unsigned most, unsigned *out, struct refusal *why);
void e2b_list_sort(struct e2b_list *list, bool oldest);

/* Write the answer: a part of the list, in its order. */
void e2b_list_reply(struct e2b_list *list, struct reply *reply);

#endif
