/*
 * session_table - the families of the registry, and questions about their
 * sessions: which one has this name, how many an owner has, which one may end.
 */
#ifndef TERRARIUM_SESSION_TABLE_H
#define TERRARIUM_SESSION_TABLE_H

#include "fcgi/shared/scoreboard.h"
#include "family.h"

/* More families than sessions, so that one may start while another ends. */
#define SESSION_TABLE_SPARE 8
#define SESSION_TABLE_MAX (SCOREBOARD_SESSIONS_MAX + SESSION_TABLE_SPARE)

struct session_table {
	unsigned count; /* of families in use */
	struct family families[SESSION_TABLE_MAX];
};

/* A session in the table. */
struct session_ref {
	struct family *family; /* NULL: none */
	unsigned member;
};

#define SESSION_REF_NONE ((struct session_ref){NULL, 0})

struct family_member *session_table_at(struct session_ref ref);

/* The live session behind REF; the first for SESSION_REF_NONE. */
struct session_ref session_table_next(struct session_table *table,
				      struct session_ref ref);

/* OWNER's session ID. */
struct session_ref session_table_find(struct session_table *table,
				      const char *owner, const char *id);

/* The number of live sessions. With OWNER: of this owner, and with sessions
 * that were released and still run. */
unsigned session_table_count(struct session_table *table, const char *owner);

/* The session of OWNER that was idle for longest, and was not used since
 * BEFORE, a time of io_now_ms(). BUT is never chosen. */
struct session_ref session_table_idlest(struct session_table *table,
					const char *owner, int64_t before,
					const struct family_member *but);

/*
 * The session that may end for a new one of OWNER when MOST live. Each owner's
 * share is an equal part of MOST. An owner that has its share gives one of its
 * own. Else one that has more than its share gives, or if there is none, any
 * other. The idlest is chosen, as above.
 */
struct session_ref session_table_victim(struct session_table *table,
					const char *owner, unsigned most,
					int64_t before,
					const struct family_member *but);

/* Another program has no use for the pointers of TABLE's notes: put the texts
 * into NOTES, owned by the caller, each with its NUL. 0 or -ENOMEM. */
int session_table_pack_notes(struct session_table *table, struct bytes *notes);

/* In that program: replace the pointers, which were valid in the former one,
 * by copies of the texts in NOTES. 0, -ENOMEM, or -EPROTO if a text is missing
 * or one is left. */
int session_table_unpack_notes(struct session_table *table,
			       const struct bytes *notes);

#endif
