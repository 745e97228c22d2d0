/*
 * fastcgi_out - a small FastCGI request, as a web server sends it.
 */
#ifndef TERRARIUM_FASTCGI_OUT_H
#define TERRARIUM_FASTCGI_OUT_H

#include "sandbox/base/base.h"

#define FASTCGI_OUT_MAX 1024 /* bytes of all records; far more than needed */

/* Name and value are shorter than 128 bytes. */
struct fastcgi_out_param {
	const char *name, *value;
};

struct fastcgi_out {
	unsigned char data[FASTCGI_OUT_MAX];
	size_t size;
};

/* Write the records of one request to OUT: COUNT parameters, and BODY with its
 * length as one more parameter. All of it must fit. */
void fastcgi_out_request(struct fastcgi_out *out,
			 const struct fastcgi_out_param *params, size_t count,
			 const char *body);

#endif
