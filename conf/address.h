/*
 * address - internet addresses in the configuration: those on which the server
 * listens, and the networks of the peers that it serves there.
 *
 * A list has words with spaces or commas between them.
 */
#ifndef TERRARIUM_ADDRESS_H
#define TERRARIUM_ADDRESS_H

#include <sys/socket.h>

#include "sandbox/base/base.h"

#define ADDRESS_LISTEN_MAX 4 /* addresses on which one server listens */
#define ADDRESS_NETWORKS_MAX 64
#define ADDRESS_WORD_MAX 64 /* bytes of a word with its NUL */
#define ADDRESS_TEXT_MAX 64 /* bytes of a printed address with its NUL */

/* Where to listen. */
struct address_listen {
	union {
		struct sockaddr any;
		struct sockaddr_storage room;
	} at;
	socklen_t size;
	char text[ADDRESS_WORD_MAX]; /* as it was written */
};

/* The addresses whose first PREFIX bits are those of BYTES. */
struct address_network {
	int family; /* AF_INET or AF_INET6 */
	unsigned prefix;
	unsigned char bytes[16];
};

struct address_networks {
	unsigned count;
	struct address_network list[ADDRESS_NETWORKS_MAX];
};

/*
 * Read LIST of "tcp://ADDRESS:PORT", or "ADDRESS:PORT" as php-fpm has it; an
 * IPv6 address stands in brackets. At most ADDRESS_LISTEN_MAX, none twice.
 * Returns their number or -EINVAL. LISTEN may be NULL.
 */
int address_read_listen(const char *list,
			struct address_listen listen[ADDRESS_LISTEN_MAX]);

/*
 * Read LIST of addresses and networks ("192.0.2.7", "10.0.0.0/8", "fd00::/8").
 * A network has no bits behind its prefix. Returns 0 or -EINVAL. NETWORKS may be
 * NULL.
 */
int address_read_networks(const char *list, struct address_networks *networks);

/* For the option table. */
bool address_is_listen(const char *list);
bool address_is_networks(const char *list);

/* Is PEER, which an accept(2) returned, in one of NETWORKS? An IPv4 address that
 * IPv6 carries (::ffff:192.0.2.7) counts as the IPv4 address. */
bool address_is_in(const struct address_networks *networks,
		   const struct sockaddr_storage *peer);

/* Can other hosts reach LISTEN? False: it is a loopback address. */
bool address_is_remote(const struct address_listen *listen);

/* Print the address of PEER, without its port. */
void address_print(const struct sockaddr_storage *peer,
		   char text[ADDRESS_TEXT_MAX]);

#endif
