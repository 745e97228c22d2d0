/*
 * test_archive - the pieces that an archive process accepts, and the files it
 * makes of them.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "fcgi/route/archive.h"

#define ID "0123456789abcdef0123456789abcdef"
#define HEAD offsetof(struct archive_piece, data)

static struct archive_piece make_piece(const char *id, enum archive_part part,
				       uint64_t offset, const char *text)
{
	struct archive_piece piece = {.part = part, .offset = offset,
				      .size = (uint32_t)strlen(text)};

	memcpy(piece.id, id, ARCHIVE_ID);
	memcpy(piece.data, text, piece.size);
	return piece;
}

static void only_sane_pieces_are_taken(void **state)
{
	static const struct {
		const char *id;
		uint32_t part, size;
		uint64_t offset;
		size_t came; /* bytes of content */
		bool sane;
	} rows[] = {
		{ID, ARCHIVE_CODE, 3, 0, 3, true},
		{ID, ARCHIVE_RESULT, 3, 97, 3, true},
		{ID, ARCHIVE_CODE, 0, 0, 0, true},
		{ID, ARCHIVE_CODE, 3, 98, 3, false},
		{ID, ARCHIVE_CODE, 3, UINT64_MAX, 3, false},
		{ID, ARCHIVE_CODE, 3, UINT64_MAX - 2, 3, false},
		{ID, ARCHIVE_CODE, 101, 0, 101, false},
		{ID, ARCHIVE_CODE, 4, 0, 3, false},
		{ID, ARCHIVE_CODE, 2, 0, 3, false},
		{ID, ARCHIVE_PARTS, 3, 0, 3, false},
		{ID, UINT32_MAX, 3, 0, 3, false},
		{"../../../../../../../../../../etc", 0, 3, 0, 3, false},
		{"0123456789ABCDEF0123456789abcdef", 0, 3, 0, 3, false},
		{"0123456789abcde\0" "0123456789abcdef", 0, 3, 0, 3, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct archive_piece piece = {.part = rows[i].part,
					      .size = rows[i].size,
					      .offset = rows[i].offset};

		memcpy(piece.id, rows[i].id, ARCHIVE_ID);
		assert_int_equal(archive_is_sane(&piece, HEAD + rows[i].came,
						 100), rows[i].sane);
	}
	struct archive_piece piece = make_piece(ID, 0, 0, "");

	assert_false(archive_is_sane(&piece, HEAD - 1, 100));
	assert_false(archive_is_sane(&piece, 0, 100));
}

static void pieces_make_files(void **state)
{
	struct archive_piece first = make_piece(ID, ARCHIVE_OUT, 0, "ab");
	struct archive_piece second = make_piece(ID, ARCHIVE_OUT, 2, "cd");
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(archive_write(dir, &first, 2), 0);
	assert_int_equal(archive_write(dir, &second, 2), 0);
	assert_string_equal(support_read(top, ID "/stdout.txt"), "abcd");
	support_remove(&top);
}

/* A link that another process has made is not followed. */
static void no_link_is_followed(void **state)
{
	struct archive_piece piece = make_piece(ID, ARCHIVE_OUT, 0, "new");
	char *top = support_dir(), *other = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	support_write(other, "file", "old");
	assert_int_equal(symlinkat(other, dir, ID), 0);
	assert_true(archive_write(dir, &piece, 2) < 0);
	assert_int_equal(unlinkat(dir, ID, 0), 0);
	assert_int_equal(mkdirat(dir, ID, 0700), 0);
	assert_int_equal(symlinkat(support_path(other, "file"), dir,
				   ID "/stdout.txt"), 0);
	assert_true(archive_write(dir, &piece, 2) < 0);
	assert_string_equal(support_read(other, "file"), "old");
	support_remove(&top);
	support_remove(&other);
}

static void set_age(int dir, const char *id, time_t age)
{
	const struct timespec times[2] = {{.tv_sec = age}, {.tv_sec = age}};

	assert_int_equal(utimensat(dir, id, times, 0), 0);
}

static void the_oldest_goes_first(void **state)
{
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char id[] = ID;

	(void)state;
	support_write(top, "another", "stays");
	for (int i = 0; i < 5; i++) {
		/* In no order of their names. */
		id[0] = "52839"[i];
		struct archive_piece piece =
			make_piece(id, ARCHIVE_CODE, 0, "x");

		assert_int_equal(archive_write(dir, &piece, 2), 0);
		set_age(dir, id, 1000 + i);
	}
	for (int i = 0; i < 5; i++) {
		id[0] = "52839"[i];
		assert_int_equal(faccessat(dir, id, F_OK, 0) == 0, i >= 3);
	}
	assert_string_equal(support_read(top, "another"), "stays");
	support_remove(&top);
}

/* A file that may not grow stands for a disk without room. */
static int without_room(void *context)
{
	const struct rlimit limit = {3, 3};
	int dir = *(const int *)context;
	struct archive_piece first = make_piece(ID, ARCHIVE_OUT, 0, "ab");
	struct archive_piece second = make_piece(ID, ARCHIVE_OUT, 2, "cd");
	struct archive_piece third = make_piece(ID, ARCHIVE_ERR, 0, "e");
	struct archive_lost lost = {.count = 0};

	signal(SIGXFSZ, SIG_IGN);
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0 ||
	    archive_take(dir, &first, 2, &lost) != 0)
		return 1;
	if (archive_take(dir, &second, 2, &lost) != -ENOSPC)
		return 2;
	/* It is told once, and nothing of it stays. */
	if (archive_take(dir, &third, 2, &lost) != 0)
		return 3;
	return faccessat(dir, ID, F_OK, 0) == 0 ? 4 : 0;
}

static void half_a_run_is_not_kept(void **state)
{
	char *top = support_dir();
	owned_fd int dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_int_equal(support_in_child(without_room, &dir), 0);
	support_remove(&top);
}

/* Every message fits, and together they are the whole text. */
static void a_run_is_sent_in_sane_pieces(void **state)
{
	static char code[ARCHIVE_PIECE + 10];
	const struct job job = {.code = {code, sizeof(code)}};
	const struct outcome outcome = {
		.out.kept = {(char *)(uintptr_t)"out", 3}};
	struct archive_piece piece;
	size_t total = 0;
	int ends[2];
	ssize_t n;

	(void)state;
	memset(code, 'x', sizeof(code));
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
	assert_int_equal(archive_send(ends[1], ID, &job, &outcome), 0);
	while ((n = recv(ends[0], &piece, sizeof(piece), MSG_DONTWAIT)) > 0) {
		assert_true(archive_is_sane(&piece, (size_t)n, 1 << 20));
		total += piece.size;
	}
	assert_int_equal(total, sizeof(code) + 3);
	close(ends[0]);
	assert_true(archive_send(ends[1], ID, &job, &outcome) < 0);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_sane_pieces_are_taken),
		cmocka_unit_test(pieces_make_files),
		cmocka_unit_test(no_link_is_followed),
		cmocka_unit_test(the_oldest_goes_first),
		cmocka_unit_test(half_a_run_is_not_kept),
		cmocka_unit_test(a_run_is_sent_in_sane_pieces),
	};

	return cmocka_run_group_tests_name("archive", tests, NULL, NULL);
}
