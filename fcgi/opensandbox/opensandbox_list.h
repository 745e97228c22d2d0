/*
 * opensandbox_list - the list of a client's sandboxes, in pages.
 */
#ifndef TERRARIUM_OPENSANDBOX_LIST_H
#define TERRARIUM_OPENSANDBOX_LIST_H

#include "fcgi/e2b/e2b_list.h"

#define OPENSANDBOX_LIST_SIZE 20 /* of a page, unless told */
#define OPENSANDBOX_LIST_SIZE_MAX 200
#define OPENSANDBOX_LIST_PAGES_MAX 100000

/* Read QUERY into LIST, which begins empty. 0, or a negative errno value with
 * *WHY: 400. Release LIST in any case. */
int opensandbox_list_read(struct e2b_list *list, const char *query,
			  struct refusal *why);

/* Write the answer: one page of the list, the newest first. */
void opensandbox_list_reply(struct e2b_list *list, struct reply *reply);

#endif
