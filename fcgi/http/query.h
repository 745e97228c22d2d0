/*
 * query - the parameters in a request's address, behind the question mark:
 * NAME=VALUE with "&" between them, in the encoding of forms.
 */
#ifndef TERRARIUM_QUERY_H
#define TERRARIUM_QUERY_H

#include "sandbox/base/job.h"

/*
 * Find the parameter NAME, an ASCII name, in QUERY. Returns how often it is
 * there, or -ENOMEM. OUT gets the value of the last one, decoded and NUL
 * terminated, to be freed; no data: there is none. A value may hold any byte. A
 * '%' without two hexadecimal digits stands for itself.
 */
int query_find(const char *query, const char *name, struct bytes *out);

/* Decode SIZE bytes at FROM to OUT, which has as much room. PLUS: a '+' stands
 * for a blank, as in a query. Returns the size of the result. */
size_t query_decode(const char *from, size_t size, bool plus, char *out);

#endif
