/*
 * test_address - addresses to listen on, and networks of peers: which are read,
 * which are refused, and which peers are in a network.
 */
#include "tests/unit/support.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "conf/address.h"

static struct sockaddr_storage peer(const char *text)
{
	struct sockaddr_storage out = {0};
	struct sockaddr_in four = {.sin_family = AF_INET};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, text, &four.sin_addr) == 1) {
		memcpy(&out, &four, sizeof(four));
		return out;
	}
	assert_int_equal(inet_pton(AF_INET6, text, &six.sin6_addr), 1);
	memcpy(&out, &six, sizeof(six));
	return out;
}

static void listen_lists_are_read(void **state)
{
	struct address_listen list[ADDRESS_LISTEN_MAX];
	struct sockaddr_in four;
	struct sockaddr_in6 six;

	(void)state;
	assert_int_equal(address_read_listen("", list), 0);
	assert_int_equal(address_read_listen(" tcp://127.0.0.1:9000,"
					     "[::1]:65535 10.0.0.7:1 ",
					     list), 3);
	memcpy(&four, &list[0].at.room, sizeof(four));
	assert_int_equal(four.sin_family, AF_INET);
	assert_int_equal(ntohs(four.sin_port), 9000);
	assert_int_equal(ntohl(four.sin_addr.s_addr), 0x7f000001);
	memcpy(&six, &list[1].at.room, sizeof(six));
	assert_int_equal(six.sin6_family, AF_INET6);
	assert_int_equal(ntohs(six.sin6_port), 65535);
	assert_true(IN6_IS_ADDR_LOOPBACK(&six.sin6_addr));
	assert_string_equal(list[0].text, "tcp://127.0.0.1:9000");
	assert_false(address_is_remote(&list[0]));
	assert_false(address_is_remote(&list[1]));
	assert_true(address_is_remote(&list[2]));
}

static void bad_listen_lists_are_refused(void **state)
{
	static const char *const bad[] = {
		"127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536",
		"127.0.0.1:-1", "127.0.0.1:9000x", ":9000", "localhost:9000",
		"tcp://", "tcp://:9000", "udp://127.0.0.1:9000", "::1:9000",
		"[::1]", "[::1]9000", "[::1:9000", "[]:9000", "[:9000",
		"127.0.0.01:9000", "0x7f.1:9000", "[fe80::1%lo]:9000",
		"[::ffff:127.0.0.1]:9000", "/run/x.sock",
		"127.0.0.1:9000 127.0.0.1:9000",
		"127.0.0.1:9000 tcp://127.0.0.1:9000",
		"127.0.0.1:1 127.0.0.1:2 127.0.0.1:3 127.0.0.1:4 127.0.0.1:5",
		"127.0.0.1:4294967297",
		"[0000:0000:0000:0000:0000:0000:0000:0000:0000:0000:0000]:1",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (address_is_listen(bad[i]))
			fail_msg("taken: %s", bad[i]);
}

static void bad_networks_are_refused(void **state)
{
	static const char *const bad[] = {
		"any", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x",
		"10.0.0.1/8", "0.0.0.1/0", "fd00::1/8", "::/129", "10.0.0",
		"10.0.0.0/8/8", "/8", "::1%lo", "[::1]", "10.0.0.0:80",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (address_is_networks(bad[i]))
			fail_msg("taken: %s", bad[i]);
}

static void too_many_networks_are_refused(void **state)
{
	char list[(ADDRESS_NETWORKS_MAX + 1) * 4 + 1] = "";

	(void)state;
	for (unsigned i = 0; i < ADDRESS_NETWORKS_MAX; i++)
		memcpy(list + i * 4ul, "::1 ", 5);
	assert_true(address_is_networks(list));
	memcpy(list + ADDRESS_NETWORKS_MAX * 4ul, "::1", 4);
	assert_false(address_is_networks(list));
}

static void assert_in(const char *list, const char *address, bool is_in)
{
	const struct sockaddr_storage from = peer(address);
	struct address_networks networks;

	assert_int_equal(address_read_networks(list, &networks), 0);
	if (address_is_in(&networks, &from) != is_in)
		fail_msg("%s in \"%s\" is not %d", address, list, is_in);
}

static void peers_are_found_in_their_networks(void **state)
{
	(void)state;
	assert_in("127.0.0.0/8 ::1", "127.0.0.1", true);
	assert_in("127.0.0.0/8 ::1", "127.255.255.255", true);
	assert_in("127.0.0.0/8 ::1", "128.0.0.1", false);
	assert_in("127.0.0.0/8 ::1", "::1", true);
	assert_in("127.0.0.0/8 ::1", "::2", false);
	assert_in("10.1.2.0/23", "10.1.3.255", true);
	assert_in("10.1.2.0/23", "10.1.4.0", false);
	assert_in("192.0.2.7", "192.0.2.7", true);
	assert_in("192.0.2.7", "192.0.2.6", false);
	assert_in("fc00::/7", "fd12::1", true);
	assert_in("fc00::/7", "fe00::1", false);
	assert_in("2001:db8::/33", "2001:db8:7fff::1", true);
	assert_in("2001:db8::/33", "2001:db8:8000::1", false);
	assert_in("", "127.0.0.1", false);
}

/* A peer of IPv4 is never a peer of IPv6: "::/0" must not let in all. */
static void families_are_kept_apart(void **state)
{
	struct sockaddr_storage local = {.ss_family = AF_UNIX};
	struct address_networks networks;

	(void)state;
	assert_in("0.0.0.0/0", "203.0.113.1", true);
	assert_in("0.0.0.0/0", "2001:db8::1", false);
	assert_in("::/0", "2001:db8::1", true);
	assert_in("::/0", "203.0.113.1", false);
	assert_in("::/0", "::ffff:203.0.113.1", false);
	assert_in("203.0.113.1", "::ffff:203.0.113.1", true);
	assert_int_equal(address_read_networks("0.0.0.0/0 ::/0", &networks), 0);
	assert_false(address_is_in(&networks, &local));
}

static void a_peer_is_printed(void **state)
{
	struct sockaddr_storage from = peer("::ffff:203.0.113.1");
	char text[ADDRESS_TEXT_MAX];

	(void)state;
	address_print(&from, text);
	assert_string_equal(text, "203.0.113.1");
	from = peer("fd00::7");
	address_print(&from, text);
	assert_string_equal(text, "fd00::7");
	from.ss_family = AF_UNIX;
	address_print(&from, text);
	assert_string_equal(text, "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listen_lists_are_read),
		cmocka_unit_test(bad_listen_lists_are_refused),
		cmocka_unit_test(bad_networks_are_refused),
		cmocka_unit_test(too_many_networks_are_refused),
		cmocka_unit_test(peers_are_found_in_their_networks),
		cmocka_unit_test(families_are_kept_apart),
		cmocka_unit_test(a_peer_is_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
