/*
 * trace_file - see trace_file.h.
 *
 * The file is a struct trace_file_head; the key; the paths of the sources, each
 * with a NUL; a struct trace_file_identity for each of them; a uint32_t for
 * each phase; a uint16_t for each block; and a struct trace_file_mark for each
 * block that is written, in ascending order.
 */
#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "sandbox/base/anon_pages.h"
#include "sandbox/base/digest.h"
#include "sandbox/base/io.h"

#define TRACE_FILE_MAGIC "TRLAYOUT"
#define TRACE_FILE_VERSION 1u /* of this format and of alloc_hook's numbers */
#define TRACE_FILE_MAX (256u << 20) /* bytes */
#define TRACE_FILE_MARKS_MAX (1u << 20)
#define TRACE_FILE_GROUPED_MAX (64u << 20) /* bytes of blocks to group */
#define TRACE_FILE_ALIGN 8u /* NUL bytes fill a part up */

struct trace_file_head {
	char magic[8];
	uint32_t version, head_size;
	struct digest digest; /* of all bytes behind it */
	uint64_t size; /* bytes of the file */
	uint32_t key_size, sources_size, sources_count;
	uint32_t blocks, marks, phases;
};

struct trace_file_identity {
	uint64_t size; /* UINT64_MAX: there is no such file */
	int64_t mtime_ns;
};

struct trace_file_mark {
	uint32_t place, rank;
};

/* In the order of the file. */
enum trace_file_part {
	TRACE_FILE_HEAD,
	TRACE_FILE_KEY,
	TRACE_FILE_SOURCES,
	TRACE_FILE_IDENTITIES,
	TRACE_FILE_BEGINS,
	TRACE_FILE_SIZES,
	TRACE_FILE_MARKS,
	TRACE_FILE_PARTS
};

struct trace_file_parts {
	struct trace_file_head *head;
	char *key, *sources;
	struct trace_file_identity *identities;
	uint32_t *begins;
	uint16_t *sizes;
	struct trace_file_mark *marks;
};

/* ---- the key --------------------------------------------------------- */

static int trace_file_add_key(struct trace_file_key *key, const void *data,
			      size_t size)
{
	if (size > sizeof(key->text) - key->size)
		return -E2BIG;
	memcpy(key->text + key->size, data, size);
	key->size += size;
	return 0;
}

/* Find the build id among the notes from AT to END. Returns its size; 0: there
 * is none. */
static size_t trace_file_build_id(const char *at, const char *end,
				  const char **id)
{
	while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t name = (note->n_namesz + 3u) & ~(size_t)3u;
		size_t size = (note->n_descsz + 3u) & ~(size_t)3u;

		at += sizeof(*note);
		if (name + size > (size_t)(end - at))
			return 0;
		*id = at + name;
		if (note->n_type == NT_GNU_BUILD_ID && name == 4 &&
		    memcmp(at, ELF_NOTE_GNU, 4) == 0)
			return note->n_descsz;
		at += name + size;
	}
	return 0;
}

/* dl_iterate_phdr(3): an object that the loader has mapped. */
static int trace_file_add_object(struct dl_phdr_info *info, size_t size,
				 void *context)
{
	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const char *notes = (const void *)(info->dlpi_addr +
						   part->p_vaddr);
		const char *id;
		size_t found = part->p_type == PT_NOTE
				       ? trace_file_build_id(
						 notes, notes + part->p_memsz,
						 &id)
				       : 0;

		if (found > 0)
			return trace_file_add_key(context, id, found);
	}
	return -ENOTSUP;
}

int trace_file_make_key(struct trace_file_key *key, const char *const *options,
			size_t count)
{
	key->size = 0;
	int rc = dl_iterate_phdr(trace_file_add_object, key);

	for (size_t i = 0; i < count && rc == 0; i++)
		rc = trace_file_add_key(key, options[i],
					strlen(options[i]) + 1);
	return rc;
}

/* ---- the parts ------------------------------------------------------- */

/* Where each part of a file begins, by the numbers of HEAD. They may be
 * anything, because no sum of them can overflow. Returns the file's size. */
static size_t trace_file_offsets(const struct trace_file_head *head,
				 size_t offsets[TRACE_FILE_PARTS])
{
	const size_t sizes[TRACE_FILE_PARTS] = {
		[TRACE_FILE_HEAD] = sizeof(*head),
		[TRACE_FILE_KEY] = head->key_size,
		[TRACE_FILE_SOURCES] = head->sources_size,
		[TRACE_FILE_IDENTITIES] = sizeof(struct trace_file_identity) *
					  head->sources_count,
		[TRACE_FILE_BEGINS] = sizeof(uint32_t) * head->phases,
		[TRACE_FILE_SIZES] = sizeof(uint16_t) * head->blocks,
		[TRACE_FILE_MARKS] = sizeof(struct trace_file_mark) *
				     head->marks,
	};
	size_t end = 0;

	for (size_t i = 0; i < TRACE_FILE_PARTS; i++) {
		offsets[i] = end;
		end += (sizes[i] + TRACE_FILE_ALIGN - 1) &
		       ~(size_t)(TRACE_FILE_ALIGN - 1);
	}
	return end;
}

/* The parts of the file at DATA, which has room for all of them. */
static struct trace_file_parts
trace_file_parts(char *data, const size_t offsets[TRACE_FILE_PARTS])
{
	return (struct trace_file_parts){
		.head = (void *)data,
		.key = data + offsets[TRACE_FILE_KEY],
		.sources = data + offsets[TRACE_FILE_SOURCES],
		.identities = (void *)(data + offsets[TRACE_FILE_IDENTITIES]),
		.begins = (void *)(data + offsets[TRACE_FILE_BEGINS]),
		.sizes = (void *)(data + offsets[TRACE_FILE_SIZES]),
		.marks = (void *)(data + offsets[TRACE_FILE_MARKS])};
}

static uint32_t trace_file_count_paths(const char *sources, size_t size)
{
	uint32_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += sources[i] == '\0';
	return count;
}

static struct trace_file_identity trace_file_identify(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return (struct trace_file_identity){.size = UINT64_MAX};
	return (struct trace_file_identity){
		.size = (uint64_t)st.st_size,
		.mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 +
			    st.st_mtim.tv_nsec};
}

/* The digest of the file at HEAD, with the point of DIGEST. */
static uint64_t trace_file_sum(const struct trace_file_head *head, size_t size,
			       struct digest digest)
{
	const size_t from = offsetof(struct trace_file_head, size);

	digest.sum = 0;
	digest_add(&digest, (const char *)head + from, size - from);
	return digest.sum;
}

/* ---- read ------------------------------------------------------------ */

/* Whether only this process's user can write the directory DIR, and the file
 * FD is this user's alone. */
static const char *trace_file_refuse_owner(int dir, int fd, size_t *size)
{
	struct stat above, st;

	if (fstat(dir, &above) < 0 || fstat(fd, &st) < 0)
		return "fstat";
	if (above.st_uid != geteuid() || (above.st_mode & 022))
		return "others can write the directory";
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & 077))
		return "owner or mode";
	if (st.st_size < (off_t)sizeof(struct trace_file_head) ||
	    st.st_size > (off_t)TRACE_FILE_MAX)
		return "size";
	*size = (size_t)st.st_size;
	return NULL;
}

static const char *trace_file_refuse_bytes(const struct trace_file_head *head,
					   size_t size)
{
	size_t offsets[TRACE_FILE_PARTS];

	if (memcmp(head->magic, TRACE_FILE_MAGIC, sizeof(head->magic)) != 0 ||
	    head->version != TRACE_FILE_VERSION ||
	    head->head_size != sizeof(*head))
		return "version";
	if (head->size != size || trace_file_offsets(head, offsets) != size ||
	    head->phases != TRACE_PHASES || head->blocks == 0 ||
	    head->blocks >= TRACE_BLOCKS_MAX ||
	    head->marks > TRACE_FILE_MARKS_MAX)
		return "size";
	if (head->digest.point == 0 || head->digest.point >> 61 ||
	    trace_file_sum(head, size, head->digest) != head->digest.sum)
		return "checksum";
	return NULL;
}

static const char *
trace_file_refuse_sources(const struct trace_file_parts *file,
			  struct trace_file_refused *refused)
{
	const struct trace_file_head *head = file->head;
	const char *path = file->sources;

	if (head->sources_size == 0 || head->sources_size > TRACE_SOURCES_MAX ||
	    path[head->sources_size - 1] != '\0' ||
	    trace_file_count_paths(path, head->sources_size) !=
		    head->sources_count)
		return "sources";
	for (uint32_t i = 0; i < head->sources_count; i++) {
		const struct trace_file_identity now = trace_file_identify(
			path);

		if (now.size != file->identities[i].size ||
		    now.mtime_ns != file->identities[i].mtime_ns) {
			snprintf(refused->path, sizeof(refused->path), "%s",
				 path);
			return "packages changed";
		}
		path += strlen(path) + 1;
	}
	return NULL;
}

static const char *trace_file_refuse_blocks(const struct trace_file_parts *file)
{
	const struct trace_file_head *head = file->head;
	size_t grouped = 0;
	uint32_t last = 0;

	for (size_t i = 0; i < TRACE_PHASES; i++)
		if (file->begins[i] > head->blocks)
			return "phases";
	for (uint32_t i = 0; i < head->marks; i++) {
		const struct trace_file_mark *mark = &file->marks[i];

		if (mark->place <= last || mark->place > head->blocks ||
		    mark->rank == 0 || mark->rank > TRACE_RANKS)
			return "marks";
		last = mark->place;
		if (file->sizes[last - 1] <= TRACE_LARGEST)
			grouped += file->sizes[last - 1];
	}
	return grouped > TRACE_FILE_GROUPED_MAX ? "marks" : NULL;
}

static void trace_file_fill(const struct trace_file_parts *file,
			    struct trace *trace)
{
	const struct trace_file_head *head = file->head;

	trace->count = head->blocks;
	memcpy(trace->begins, file->begins, sizeof(trace->begins));
	memcpy(trace->sizes + 1, file->sizes,
	       sizeof(*trace->sizes) * head->blocks);
	for (uint32_t i = 0; i < head->marks; i++)
		trace->ranks[file->marks[i].place] =
			(uint8_t)file->marks[i].rank;
	memcpy(trace->sources, file->sources, head->sources_size);
	trace->sources_size = head->sources_size;
}

/* DATA are the SIZE bytes of the file. Returns the reason why it is refused, or
 * NULL. */
static const char *trace_file_take(char *data, size_t size,
				   const struct trace_file_key *key,
				   struct trace *trace,
				   struct trace_file_refused *refused)
{
	const struct trace_file_head *head = (const void *)data;
	size_t offsets[TRACE_FILE_PARTS];
	const char *why = trace_file_refuse_bytes(head, size);

	if (why)
		return why;
	trace_file_offsets(head, offsets);
	const struct trace_file_parts file = trace_file_parts(data, offsets);

	if (head->key_size != key->size ||
	    memcmp(file.key, key->text, key->size) != 0)
		why = "another program or options";
	if (!why)
		why = trace_file_refuse_sources(&file, refused);
	if (!why)
		why = trace_file_refuse_blocks(&file);
	if (!why)
		trace_file_fill(&file, trace);
	return why;
}

int trace_file_read(int dir, const struct trace_file_key *key,
		    struct trace *trace, struct trace_file_refused *refused)
{
	owned_fd int fd = openat(dir, TRACE_FILE_NAME,
				 O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
					 O_CLOEXEC);
	size_t size = 0;

	*refused = (struct trace_file_refused){.reason = "open"};
	if (fd < 0)
		return -errno;
	refused->reason = trace_file_refuse_owner(dir, fd, &size);
	if (refused->reason)
		return -EPERM;
	/* A copy that no other process can change; and one that leaves no
	 * host's path in this process's heap. */
	char *data = anon_pages_open(size, false);

	refused->reason = "read";
	int rc = data ? io_read_full(fd, data, size) : -ENOMEM;

	if (rc == 0)
		refused->reason = trace_file_take(data, size, key, trace,
						  refused);
	anon_pages_close(data, size);
	return rc < 0 ? rc : refused->reason ? -EINVAL : 0;
}

/* ---- write ----------------------------------------------------------- */

static uint32_t trace_file_count_marks(const struct trace *trace)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i <= trace->count; i++)
		count += trace->ranks[i] != 0;
	return count;
}

static int trace_file_pack(const struct trace_file_parts *file,
			   const struct trace_file_head *head,
			   const struct trace_file_key *key,
			   const struct trace *trace)
{
	const char *path = trace->sources;
	struct trace_file_mark *mark = file->marks;

	*file->head = *head;
	memcpy(file->key, key->text, key->size);
	memcpy(file->sources, trace->sources, trace->sources_size);
	for (uint32_t i = 0; i < head->sources_count; i++) {
		file->identities[i] = trace_file_identify(path);
		path += strlen(path) + 1;
	}
	memcpy(file->begins, trace->begins, sizeof(trace->begins));
	memcpy(file->sizes, trace->sizes + 1,
	       sizeof(*trace->sizes) * trace->count);
	for (uint32_t i = 1; i <= trace->count; i++)
		if (trace->ranks[i])
			*mark++ = (struct trace_file_mark){i, trace->ranks[i]};
	int rc = digest_begin(&file->head->digest);

	if (rc == 0)
		file->head->digest.sum = trace_file_sum(
			file->head, file->head->size, file->head->digest);
	return rc;
}

/* Make a file of a new name, and give it the right name when it is whole. */
static int trace_file_replace(int dir, const char *data, size_t size)
{
	char name[sizeof(TRACE_FILE_NAME) + 20];
	uint64_t drawn;

	if (getrandom(&drawn, sizeof(drawn), 0) != sizeof(drawn))
		return -errno;
	snprintf(name, sizeof(name), "%s.%016llx", TRACE_FILE_NAME,
		 (unsigned long long)drawn);
	owned_fd int fd = openat(
		dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		0600);

	if (fd < 0)
		return -errno;
	int rc = io_write_full(fd, data, size);

	if (rc == 0 && renameat(dir, name, dir, TRACE_FILE_NAME) < 0)
		rc = -errno;
	if (rc < 0)
		unlinkat(dir, name, 0);
	return rc;
}

int trace_file_write(int dir, const struct trace_file_key *key,
		     const struct trace *trace)
{
	struct trace_file_head head = {
		.magic = TRACE_FILE_MAGIC,
		.version = TRACE_FILE_VERSION,
		.head_size = sizeof(head),
		.key_size = (uint32_t)key->size,
		.sources_size = trace->sources_size,
		.sources_count = trace_file_count_paths(trace->sources,
							trace->sources_size),
		.blocks = trace->count,
		.marks = trace_file_count_marks(trace),
		.phases = TRACE_PHASES};

	size_t offsets[TRACE_FILE_PARTS];

	if (head.sources_size == 0)
		return -ENODATA;
	head.size = trace_file_offsets(&head, offsets);
	char *data = anon_pages_open(head.size, false);

	if (!data)
		return -ENOMEM;
	const struct trace_file_parts file = trace_file_parts(data, offsets);
	int rc = trace_file_pack(&file, &head, key, trace);

	if (rc == 0)
		rc = trace_file_replace(dir, data, head.size);
	anon_pages_close(data, head.size);
	return rc;
}

void trace_file_remove(int dir)
{
	unlinkat(dir, TRACE_FILE_NAME, 0);
}
