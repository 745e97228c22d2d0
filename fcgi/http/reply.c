/*
 * reply - see reply.h. request.c sends replies.
 *
 * The text part that is being written is always a complete entry of
 * reply->parts: reply_follow() copies pointer and size of the buffer
 * reply->open to it. So a sender just walks the parts, without a last step.
 */
#include "reply.h"

#include <errno.h>
#include <string.h>

#include "sandbox/text/text.h"

void reply_init(struct reply *reply)
{
	*reply = (struct reply){
		.status = 200,
		.content_type = "application/json",
	};
}

void reply_free(struct reply *reply)
{
	for (size_t i = 0; i < reply->parts_count; i++)
		free(reply->parts[i].text);
	free(reply->parts);
	free(reply->open); /* its bytes belong to the last part */
	reply_init(reply);
}

/* The list doubles when its count is a power of two, so that no field for its
 * room is needed. */
static struct reply_part *reply_add_part(struct reply *reply)
{
	size_t count = reply->parts_count;
	struct reply_part *parts = reply->parts;

	if (reply->error)
		return NULL;
	if ((count & (count - 1)) == 0) {
		parts = reallocarray(parts, count ? count * 2 : 1,
				     sizeof(*parts));
		if (!parts) {
			reply->error = -ENOMEM;
			return NULL;
		}
		reply->parts = parts;
	}
	reply->parts_count++;
	parts[count] = (struct reply_part){ .fd = -1 };
	return &parts[count];
}

/* The buffer to write to, or NULL if memory ran out. */
static struct text *reply_writable(struct reply *reply)
{
	if (reply->error)
		return NULL;
	if (reply->open)
		return reply->open;
	reply->open = calloc(1, sizeof(*reply->open));
	if (!reply->open) {
		reply->error = -ENOMEM;
		return NULL;
	}
	if (!reply_add_part(reply)) {
		base_release_ptr(&reply->open);
		return NULL;
	}
	return reply->open;
}

/* Let the last part follow the buffer. */
static void reply_follow(struct reply *reply)
{
	struct reply_part *last = &reply->parts[reply->parts_count - 1];

	last->text = reply->open->data;
	last->size = reply->open->size;
	if (reply->open->error)
		reply->error = reply->open->error;
}

void reply_bytes(struct reply *reply, const char *data, size_t size)
{
	struct text *text = size ? reply_writable(reply) : NULL;

	if (!text)
		return;
	text_add(text, data, size);
	reply_follow(reply);
}

void reply_text(struct reply *reply, const char *text)
{
	reply_bytes(reply, text, strlen(text));
}

void reply_format(struct reply *reply, const char *fmt, ...)
{
	struct text *text = reply_writable(reply);
	va_list args;

	if (!text)
		return;
	va_start(args, fmt);
	text_vformat(text, fmt, args);
	va_end(args);
	reply_follow(reply);
}

void reply_json_string(struct reply *reply, const char *data, size_t size)
{
	struct text *text = reply_writable(reply);

	if (!text)
		return;
	text_add_json(text, data, size);
	reply_follow(reply);
}

void reply_string(struct reply *reply, const char *text)
{
	reply_json_string(reply, text, strlen(text));
}

void reply_json(struct reply *reply, const struct bytes *json)
{
	struct text *text = json->size ? reply_writable(reply) : NULL;

	if (!text)
		return;
	text_add_line(text, json->data, json->size);
	reply_follow(reply);
}

/* The bytes stay with their part; the next text begins a new part. */
static void reply_file(struct reply *reply, int fd, uint64_t size, bool raw)
{
	struct reply_part *part = reply_add_part(reply);

	if (!part)
		return;
	part->fd = fd;
	part->size = (size_t)size;
	part->raw = raw;
	base_release_ptr(&reply->open);
}

void reply_base64_file(struct reply *reply, int fd, uint64_t size)
{
	reply_text(reply, "\"");
	reply_file(reply, fd, size, false);
	reply_text(reply, "\"");
}

void reply_raw_file(struct reply *reply, int fd, uint64_t size)
{
	reply_file(reply, fd, size, true);
}

void reply_failure(struct reply *reply, const struct refusal *why)
{
	reply_text(reply, "\"success\":false,\"error\":{\"type\":");
	reply_string(reply, why->code);
	reply_text(reply, ",\"message\":");
	reply_string(reply, why->message);
	reply_text(reply, ",\"code\":");
	reply_string(reply, why->code);
	if (why->has_offset)
		reply_format(reply, ",\"offset\":%zu", why->offset);
	reply_text(reply, "},");
}

void reply_refusal(struct reply *reply, const struct refusal *why)
{
	reply->status = why->status;
	reply_text(reply, "{");
	reply_failure(reply, why);
	reply_text(reply, "\"output_files\":[],\"std_out\":\"\","
			  "\"std_err\":\"\",\"id\":");
	reply_string(reply, reply->id ? reply->id : "");
	reply_text(reply, "}\n");
}

uint64_t reply_length(const struct reply *reply)
{
	uint64_t length = 0;

	for (size_t i = 0; i < reply->parts_count; i++) {
		const struct reply_part *part = &reply->parts[i];

		length += part->fd < 0 || part->raw
				  ? part->size
				  : text_base64_length(part->size);
	}
	return length;
}
