/*
 * test_fastcgi_in - the head of a request as libfcgi is given it: its parameters
 * in as few whole records as they need, whatever their size.
 */
#include "tests/unit/support.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "fcgi/http/fastcgi_in.h"
#include "fcgi/http/request.h"

#define ID 0x0102
#define BEGIN 1
#define PARAMS 4
#define RECORD_MAX 65535
#define HEADS_MAX (FASTCGI_IN_PARAMS_MAX + 64)

static struct fastcgi_in intake = {.fd = -1, .id = ID};

/* One record at *AT of KIND and SIZE; its content. */
static const unsigned char *record(const unsigned char **at, int kind,
				   size_t size)
{
	const unsigned char *it = *at;

	assert_int_equal(it[0], 1);
	assert_int_equal(it[1], kind);
	assert_int_equal(it[2] << 8 | it[3], ID);
	assert_int_equal((size_t)it[4] << 8 | it[5], size);
	*at += FASTCGI_IN_HEADER + size;
	return it + FASTCGI_IN_HEADER;
}

static void check_head(size_t size)
{
	static unsigned char text[HEADS_MAX];
	const unsigned char *at = text;

	intake.params_size = size;
	owned_fd int fd = fastcgi_in_head(&intake);

	assert_true(fd >= 0);
	ssize_t n = read(fd, text, sizeof(text)); /* from its start */

	record(&at, BEGIN, 8);
	for (size_t done = 0; done < size;) {
		size_t piece = size - done < RECORD_MAX ? size - done
							: RECORD_MAX;

		assert_memory_equal(record(&at, PARAMS, piece),
				    intake.params + done, piece);
		done += piece;
	}
	record(&at, PARAMS, 0);
	assert_int_equal(n, at - text);
}

static void a_head_of_any_size(void **state)
{
	static const size_t sizes[] = {
		0, 1, 200, RECORD_MAX - 1, RECORD_MAX, FASTCGI_IN_PARAMS_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof(intake.params); i++)
		intake.params[i] = (char)(i % 251);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		check_head(sizes[i]);
}

static void libfcgi_takes_over_no_signal(void **state)
{
	static const int signals[] = {SIGPIPE, SIGUSR1, SIGTERM};
	struct sigaction now;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	request_prepare();
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		assert_int_equal(sigaction(signals[i], NULL, &now), 0);
		assert_ptr_equal(now.sa_handler,
				 signals[i] == SIGPIPE ? SIG_IGN : SIG_DFL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_head_of_any_size),
		cmocka_unit_test(libfcgi_takes_over_no_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
