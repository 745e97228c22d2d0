/*
 * multipart - the parts of a body of the type multipart/form-data (RFC 7578).
 */
#ifndef TERRARIUM_MULTIPART_H
#define TERRARIUM_MULTIPART_H

#include "sandbox/base/job.h"

#define MULTIPART_BOUNDARY_MAX 70
#define MULTIPART_NAME_MAX 4096 /* bytes of a file's name */

/* All is borrowed from the body. */
struct multipart {
	const char *at, *end;
	char mark[MULTIPART_BOUNDARY_MAX + 5]; /* CR LF, two hyphens, the
						* boundary, NUL */
	bool over;
};

struct multipart_part {
	char name[64];	/* of the field; cut */
	char file[MULTIPART_NAME_MAX]; /* the file's name, decoded */
	bool is_file;	/* it has one */
	struct bytes content; /* in the body, not NUL terminated */
};

/* Is TYPE, a Content-Type, that of such a body? */
bool multipart_is(const char *type);

/* Begin with the SIZE bytes of BODY, whose Content-Type is TYPE. 0, or -EINVAL:
 * the boundary is missing or wrong, or the body does not begin with it. */
int multipart_begin(struct multipart *multipart, const char *type,
		    const char *body, size_t size);

/* The next part. 1; 0: there are no more; -EINVAL: the body is malformed. */
int multipart_next(struct multipart *multipart, struct multipart_part *part);

#endif
