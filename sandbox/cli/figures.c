/* figures - see figures.h. */
#include "figures.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/json.h"
#include "sandbox/text/text.h"
#include "save.h"

#define FIGURES_NUMBER_MAX 10000
#define FIGURES_NAME_MAX 32

/* In the order in which they are preferred. A page counts if it draws: charts
 * and maps of plotly, altair and folium have a script or a frame, a table has
 * neither. */
static const struct figures_row {
	const char *media, *ending;
	bool base64, page;
} figures_rows[] = {
	{"image/png", "png", .base64 = true},
	{"image/jpeg", "jpg", .base64 = true},
	{"image/svg+xml", "svg", .base64 = false},
	{"application/pdf", "pdf", .base64 = true},
	{"text/html", "html", .page = true},
};

static bool figures_draws(struct json_span page)
{
	struct bytes text = {0};
	bool draws = json_string(page, &text) == 0 &&
		     (strstr(text.data, "<script") ||
		      strstr(text.data, "<iframe"));

	free(text.data);
	return draws;
}

static const struct figures_row *figures_find(const struct bytes *display,
					      struct json_span *span)
{
	struct json_span whole = json_whole(display->data, display->size);

	for (size_t i = 0; i < ARRAY_LEN(figures_rows); i++)
		if (json_kind(whole) == JSON_OBJECT &&
		    json_member(whole, figures_rows[i].media, span) &&
		    json_kind(*span) == JSON_STRING &&
		    (!figures_rows[i].page || figures_draws(*span)))
			return &figures_rows[i];
	return NULL;
}

bool figures_is_picture(const struct bytes *display)
{
	struct json_span span;

	return figures_find(display, &span) != NULL;
}

size_t figures_count(const struct outcome *outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < outcome->displays_count; i++)
		count += figures_is_picture(&outcome->displays[i]);
	return count;
}

static bool figures_made(const struct outcome *outcome, const char *name)
{
	for (size_t i = 0; i < outcome->files_count; i++)
		if (strcmp(outcome->files[i].name, name) == 0)
			return true;
	return false;
}

/* Write PICTURE under the first free name from *NUMBER on. */
static int figures_put(int dir, const struct outcome *outcome, bool force,
		       const struct bytes *picture, const char *ending,
		       unsigned *number, char name[FIGURES_NAME_MAX])
{
	int rc = -EEXIST;

	while (rc == -EEXIST && *number < FIGURES_NUMBER_MAX) {
		snprintf(name, FIGURES_NAME_MAX, "figure-%u.%s", ++*number,
			 ending);
		if (!figures_made(outcome, name))
			rc = save_bytes(dir, name, picture, force);
	}
	return rc;
}

/* The bytes of the picture in SPAN; -EINVAL: the program sent no base64. */
static int figures_decode(const struct figures_row *row, struct json_span span,
			  struct bytes *picture)
{
	int rc = json_string(span, picture);

	return rc == 0 && row->base64
		       ? text_base64_decode(picture->data, picture->size,
					    &picture->size)
		       : rc;
}

int figures_save(int dir, const struct outcome *outcome, bool force,
		 void (*report)(void *context, const char *name), void *context)
{
	unsigned number = 0;
	int rc = 0;

	for (size_t i = 0; i < outcome->displays_count && rc == 0; i++) {
		struct bytes picture = {0};
		struct json_span span;
		char name[FIGURES_NAME_MAX];
		const struct figures_row *row =
			figures_find(&outcome->displays[i], &span);

		if (!row)
			continue;
		int bad = figures_decode(row, span, &picture);

		if (bad == 0)
			rc = figures_put(dir, outcome, force, &picture,
					 row->ending, &number, name);
		else if (bad != -EINVAL)
			rc = bad;
		if (rc == 0)
			report(context, bad == 0 ? name : NULL);
		free(picture.data);
	}
	return rc;
}
