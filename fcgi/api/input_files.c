/* input_files - see input_files.h. */
#include "input_files.h"

#include <errno.h>
#include <string.h>

#include "sandbox/base/aliases.h"
#include "sandbox/base/io.h"
#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"

#define INPUT_FILES_REST 65536 /* bytes that are worth a system call */

/* The known members of one entry, and its number. */
struct input_files_entry {
	size_t index;
	struct json_span name, data;
};

static int input_files_read_members(struct json_span span,
				    struct input_files_entry *entry,
				    struct refusal *why)
{
	struct json_walk walk = json_walk(span);

	while (json_next(&walk)) {
		bool is_name = json_is(walk.key, "filename");

		if (!is_name && !json_is(walk.key, "b64_data"))
			continue;
		if (json_kind(walk.value) != JSON_STRING)
			return refuse(why, 400, "bad_type",
				      "files[%zu].%s must be a string",
				      entry->index,
				      is_name ? "filename" : "b64_data");
		*(is_name ? &entry->name : &entry->data) = walk.value;
	}
	return 0;
}

static int input_files_malformed(struct refusal *why, size_t index,
				 const char *fault)
{
	return refuse(why, 200, "parsing", "files[%zu]: %s", index, fault);
}

/* Remove leading slashes and "./", so that the path NAME is relative to
 * home. */
static void input_files_strip(char *name)
{
	size_t drop = 0;

	while (name[drop] == '/' ||
	       (name[drop] == '.' && name[drop + 1] == '/'))
		drop += name[drop] == '/' ? 1 : 2;
	memmove(name, name + drop, strlen(name + drop) + 1);
}

const char *input_files_name(const char *home_aliases, char *name)
{
	aliases_strip(home_aliases, name);
	input_files_strip(name);
	return job_file_name_fault(name);
}

static int input_files_read_name(const struct job *job,
				 const struct input_files_entry *entry,
				 const char *home_aliases,
				 struct job_file *file, struct refusal *why)
{
	struct bytes name;
	const char *fault;
	int rc;

	if (!entry->name.data)
		return input_files_malformed(why, entry->index,
					     "filename is missing");
	rc = fields_string(job, entry->name, &name);
	if (rc)
		return rc;
	file->name = name.data;
	fault = input_files_name(home_aliases, file->name);
	if (fault)
		return refuse(why, 200, "parsing", "files[%zu]: filename %s",
			      entry->index, fault);
	return 0;
}

/* Give the memory behind a large decoded content back to the kernel: base64
 * text lay there, and no part of the job does. */
static void input_files_give_rest_back(const struct job *job,
				       struct json_span span,
				       const struct bytes *content)
{
	char *from = content->data + content->size;

	if (job_holds(job, from) &&
	    span.size - content->size >= INPUT_FILES_REST)
		io_release_pages(from, content->data - 1 + span.size);
}

/* Decode the content in place, in the body. */
static int input_files_read_data(const struct job *job,
				 const struct input_files_entry *entry,
				 struct job_file *file, struct refusal *why)
{
	struct bytes *content = &file->content;
	int rc;

	if (!entry->data.data)
		return input_files_malformed(why, entry->index,
					     "b64_data is missing");
	file->once = true;
	rc = fields_string(job, entry->data, content);
	if (rc)
		return rc;
	if (text_base64_decode_loosely(content->data, content->size,
				       &content->size))
		return input_files_malformed(why, entry->index,
					     "b64_data is not standard base64");
	input_files_give_rest_back(job, entry->data, content);
	return 0;
}

static int input_files_read_file(struct json_span span, size_t index,
				 const char *home_aliases, struct job *job,
				 struct refusal *why)
{
	struct input_files_entry entry = {.index = index};
	struct job_file *file;
	int rc;

	if (json_kind(span) != JSON_OBJECT)
		return refuse(why, 400, "bad_type",
			      "files[%zu] must be an object", index);
	rc = input_files_read_members(span, &entry, why);
	if (rc)
		return rc;
	file = job_add_file(job);
	if (!file)
		return -ENOMEM;
	rc = input_files_read_name(job, &entry, home_aliases, file, why);
	return rc ? rc : input_files_read_data(job, &entry, file, why);
}

/* A name and its file's number, for sorting. */
struct input_files_place {
	const char *name;
	size_t index;
};

/* A slash sorts below every other byte, so that the files below a directory
 * follow its name at once. */
static int input_files_compare_places(const void *left, const void *right)
{
	const struct input_files_place *a = left, *b = right;
	const unsigned char *x = (const unsigned char *)a->name;
	const unsigned char *y = (const unsigned char *)b->name;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x == *y)
		return (a->index > b->index) - (a->index < b->index);
	if (!*x || !*y)
		return *x ? 1 : -1;
	if (*x == '/' || *y == '/')
		return *y == '/' ? 1 : -1;
	return *x < *y ? -1 : 1;
}

/* Of two neighbours in that order with the same name the later file counts, and
 * the earlier one loses its name. Refuse them if one is a file where the other
 * needs a directory. */
static int input_files_check_pair(const struct input_files_place *a,
				  const struct input_files_place *b,
				  struct job *job, size_t clash[2])
{
	size_t size = strlen(a->name);

	clash[0] = a->index > b->index ? a->index : b->index;
	clash[1] = a->index > b->index ? b->index : a->index;
	if (strncmp(a->name, b->name, size) != 0)
		return 0;
	if (b->name[size] == '\0')
		job_drop_file(job, clash[1]);
	return b->name[size] == '/' ? -EEXIST : 0;
}

int input_files_settle(struct job *job, size_t clash[2])
{
	owned_free struct input_files_place *places = NULL;
	size_t count = job->files_count;
	int rc = 0;

	if (count < 2)
		return 0;
	places = reallocarray(NULL, count, sizeof(*places));
	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		places[i] = (struct input_files_place){job->files[i].name, i};
	qsort(places, count, sizeof(*places), input_files_compare_places);
	for (size_t i = 1; i < count && !rc; i++)
		rc = input_files_check_pair(&places[i - 1], &places[i], job,
					    clash);
	if (!rc)
		job_close_ranks(job);
	return rc;
}

static int input_files_check_clashes(struct job *job, struct refusal *why)
{
	size_t clash[2];
	int rc = input_files_settle(job, clash);

	if (rc != -EEXIST)
		return rc;
	return refuse(why, 200, "parsing",
		      "files[%zu]: filename clashes with files[%zu]'s: "
		      "one is a file where the other needs a directory",
		      clash[0], clash[1]);
}

int input_files_read(struct json_span array,
		     const struct input_files_limits *limits, struct job *job,
		     struct refusal *why)
{
	struct json_walk walk = json_walk(array);
	uint64_t left = limits->bytes;

	while (json_next(&walk)) {
		const struct bytes *content;
		int rc;

		if (walk.index >= limits->count)
			return refuse(why, 413, "too_many_files",
				      "files: more than %zu files",
				      limits->count);
		rc = input_files_read_file(walk.value, walk.index,
					   limits->home_aliases, job, why);
		if (rc)
			return rc;
		content = &job->files[job->files_count - 1].content;
		if (content->size > left)
			return refuse(why, 413, "file_too_large",
				      "files[%zu]: the files hold more than %ju"
				      " bytes in all", walk.index,
				      (uintmax_t)limits->bytes);
		left -= content->size;
	}
	return input_files_check_clashes(job, why);
}
