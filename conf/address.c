/* address - see address.h, inet_pton(3). */
#include "address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#define ADDRESS_SCHEME "tcp://"
#define ADDRESS_BETWEEN " \t,"
#define ADDRESS_MAPPED 12 /* bytes of an IPv6 address before its IPv4 part */

static unsigned address_bytes(int family)
{
	return family == AF_INET ? 4 : 16;
}

/* Copy the next word of LIST to WORD. Returns the rest of the list, NULL if it
 * has no word. A word that is too long becomes "", which no reader takes. */
static const char *address_next(const char *list, char word[ADDRESS_WORD_MAX])
{
	list += strspn(list, ADDRESS_BETWEEN);
	const size_t size = strcspn(list, ADDRESS_BETWEEN);

	word[0] = '\0';
	if (size == 0)
		return NULL;
	if (size < ADDRESS_WORD_MAX) {
		memcpy(word, list, size);
		word[size] = '\0';
	}
	return list + size;
}

/* Read the whole TEXT as a decimal number of at most MAX. */
static int address_number(const char *text, unsigned max)
{
	unsigned number = 0;

	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -EINVAL;
		number = number * 10 + (unsigned)(*text - '0');
		if (number > max)
			return -EINVAL;
	}
	return (int)number;
}

/* ---- where to listen ------------------------------------------------- */

/* Set AT from the HOST, which is in brackets if it is of IPv6, and the PORT. */
static int address_set(struct address_listen *at, char *host, unsigned port)
{
	const size_t size = strlen(host);

	if (host[0] != '[') {
		struct sockaddr_in four = {.sin_family = AF_INET,
					   .sin_port = htons((uint16_t)port)};

		if (inet_pton(AF_INET, host, &four.sin_addr) != 1)
			return -EINVAL;
		memcpy(&at->at.room, &four, sizeof(four));
		at->size = sizeof(four);
		return 0;
	}
	struct sockaddr_in6 six = {.sin6_family = AF_INET6,
				   .sin6_port = htons((uint16_t)port)};

	if (host[size - 1] != ']')
		return -EINVAL;
	host[size - 1] = '\0';
	if (inet_pton(AF_INET6, host + 1, &six.sin6_addr) != 1 ||
	    IN6_IS_ADDR_V4MAPPED(&six.sin6_addr))
		return -EINVAL;
	memcpy(&at->at.room, &six, sizeof(six));
	at->size = sizeof(six);
	return 0;
}

static int address_read_one(const char *word, struct address_listen *at)
{
	const size_t scheme = strlen(ADDRESS_SCHEME);
	char host[ADDRESS_WORD_MAX];

	*at = (struct address_listen){0};
	snprintf(at->text, sizeof(at->text), "%s", word);
	if (strncmp(word, ADDRESS_SCHEME, scheme) == 0)
		word += scheme;
	snprintf(host, sizeof(host), "%s", word);
	char *colon = strrchr(host, ':');
	const int port = colon ? address_number(colon + 1, UINT16_MAX)
			       : -EINVAL;

	if (port <= 0 || colon == host)
		return -EINVAL;
	*colon = '\0';
	return address_set(at, host, (unsigned)port);
}

static struct address_network
address_of(const struct sockaddr_storage *peer);

static unsigned address_port(const struct sockaddr_storage *at)
{
	struct sockaddr_in four;

	/* IPv6 has it at the same place. */
	memcpy(&four, at, sizeof(four));
	return ntohs(four.sin_port);
}

static bool address_is_same(const struct address_listen *a,
			    const struct address_listen *b)
{
	const struct address_network first = address_of(&a->at.room);
	const struct address_network second = address_of(&b->at.room);

	return first.family == second.family &&
	       memcmp(first.bytes, second.bytes, sizeof(first.bytes)) == 0 &&
	       address_port(&a->at.room) == address_port(&b->at.room);
}

int address_read_listen(const char *list,
			struct address_listen listen[ADDRESS_LISTEN_MAX])
{
	struct address_listen own[ADDRESS_LISTEN_MAX];
	struct address_listen *all = listen ? listen : own;
	char word[ADDRESS_WORD_MAX];
	int count = 0;

	for (; (list = address_next(list, word)); count++) {
		if (count == ADDRESS_LISTEN_MAX ||
		    address_read_one(word, &all[count]) < 0)
			return -EINVAL;
		for (int i = 0; i < count; i++)
			if (address_is_same(&all[i], &all[count]))
				return -EINVAL;
	}
	return count;
}

bool address_is_listen(const char *list)
{
	return address_read_listen(list, NULL) >= 0;
}

/* ---- networks -------------------------------------------------------- */

/* Is each bit of NETWORK behind its prefix 0? */
static bool address_is_whole(const struct address_network *network)
{
	for (unsigned bit = network->prefix;
	     bit < 8 * address_bytes(network->family); bit++)
		if (network->bytes[bit / 8] & (0x80 >> bit % 8))
			return false;
	return true;
}

static int address_read_network(char *word, struct address_network *network)
{
	char *slash = strchr(word, '/');

	if (slash)
		*slash++ = '\0';
	*network = (struct address_network){
		.family = strchr(word, ':') ? AF_INET6 : AF_INET};
	const unsigned bits = 8 * address_bytes(network->family);
	const int prefix = slash ? address_number(slash, bits) : (int)bits;

	if (prefix < 0 ||
	    inet_pton(network->family, word, network->bytes) != 1)
		return -EINVAL;
	network->prefix = (unsigned)prefix;
	return address_is_whole(network) ? 0 : -EINVAL;
}

int address_read_networks(const char *list, struct address_networks *networks)
{
	struct address_network one;
	char word[ADDRESS_WORD_MAX];
	unsigned count = 0;

	for (; (list = address_next(list, word)); count++) {
		if (count == ADDRESS_NETWORKS_MAX ||
		    address_read_network(word, &one) < 0)
			return -EINVAL;
		if (networks)
			networks->list[count] = one;
	}
	if (networks)
		networks->count = count;
	return 0;
}

bool address_is_networks(const char *list)
{
	return address_read_networks(list, NULL) == 0;
}

/* ---- peers ----------------------------------------------------------- */

/* The address of PEER as a network of its own. A family that is no internet
 * address is kept, and is in no network. */
static struct address_network
address_of(const struct sockaddr_storage *peer)
{
	static const unsigned char mapped[ADDRESS_MAPPED] = {
		[10] = 0xff, [11] = 0xff};
	struct address_network own = {.family = peer->ss_family};
	struct sockaddr_in four;
	struct sockaddr_in6 six;

	if (peer->ss_family == AF_INET) {
		memcpy(&four, peer, sizeof(four));
		memcpy(own.bytes, &four.sin_addr, sizeof(four.sin_addr));
	}
	if (peer->ss_family != AF_INET6)
		return own;
	memcpy(&six, peer, sizeof(six));
	memcpy(own.bytes, &six.sin6_addr, sizeof(six.sin6_addr));
	if (memcmp(own.bytes, mapped, sizeof(mapped)) == 0) {
		own.family = AF_INET;
		memmove(own.bytes, own.bytes + ADDRESS_MAPPED, 4);
	}
	return own;
}

static bool address_matches(const struct address_network *network,
			    const struct address_network *own)
{
	const unsigned whole = network->prefix / 8;
	const unsigned mask = 0xff00u >> network->prefix % 8;

	if (network->family != own->family ||
	    memcmp(network->bytes, own->bytes, whole) != 0)
		return false;
	return network->prefix % 8 == 0 ||
	       ((network->bytes[whole] ^ own->bytes[whole]) & mask & 0xff) == 0;
}

bool address_is_in(const struct address_networks *networks,
		   const struct sockaddr_storage *peer)
{
	const struct address_network own = address_of(peer);

	for (unsigned i = 0; i < networks->count; i++)
		if (address_matches(&networks->list[i], &own))
			return true;
	return false;
}

bool address_is_remote(const struct address_listen *listen)
{
	const struct address_network own = address_of(&listen->at.room);

	if (own.family == AF_INET)
		return own.bytes[0] != 127;
	for (unsigned i = 0; i < 15; i++)
		if (own.bytes[i] != 0)
			return true;
	return own.bytes[15] != 1;
}

void address_print(const struct sockaddr_storage *peer,
		   char text[ADDRESS_TEXT_MAX])
{
	const struct address_network own = address_of(peer);

	if ((own.family != AF_INET && own.family != AF_INET6) ||
	    !inet_ntop(own.family, own.bytes, text, ADDRESS_TEXT_MAX))
		snprintf(text, ADDRESS_TEXT_MAX, "unknown");
}
