/* footprint - see footprint.h, proc(5). */
#include "footprint.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/prefork/freeze.h"

#define FOOTPRINT_LINE_MAX 512

#define FOOTPRINT_FILES 8

struct footprint {
	uint64_t kb;
	/* Device and inode of each file that was counted. */
	char files[FOOTPRINT_FILES][64];
	size_t count;
};

/* A mapping, from its first line in smaps. */
struct footprint_map {
	bool frozen;
	bool counts; /* no other process has counted this file */
};

static void footprint_close(FILE **file)
{
	if (*file)
		fclose(*file);
}

static void footprint_end(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static FILE *footprint_open(const char *pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.20s/%s", pid, name);
	return fopen(path, "re");
}

static pid_t footprint_group(const char *pid)
{
	__attribute__((cleanup(footprint_close))) FILE *file =
		footprint_open(pid, "stat");
	char line[FOOTPRINT_LINE_MAX];
	int group = 0;

	if (!file || !fgets(line, sizeof(line), file))
		return 0;
	/* The name before it may hold any character. */
	const char *end = strrchr(line, ')');

	return end && sscanf(end + 1, " %*c %*d %d", &group) == 1 ? group : 0;
}

static bool footprint_is_new(const struct footprint *sum, size_t known,
			     const char *file)
{
	for (size_t i = 0; i < known; i++)
		if (strcmp(sum->files[i], file) == 0)
			return false;
	return true;
}

/* Begin a mapping. The first KNOWN files were counted with other processes. */
static void footprint_begin(struct footprint *sum, size_t known,
			    const char *line, struct footprint_map *map)
{
	char device[24], inode[24], file[64];

	map->frozen = strstr(line, FREEZE_NAME) != NULL;
	map->counts = false;
	if (!map->frozen || sscanf(line, "%*s %*s %*s %23s %23s", device,
				   inode) != 2)
		return;
	snprintf(file, sizeof(file), "%s %s", device, inode);
	map->counts = footprint_is_new(sum, known, file);
	if (map->counts && sum->count < FOOTPRINT_FILES &&
	    footprint_is_new(sum, sum->count, file))
		memcpy(sum->files[sum->count++], file, sizeof(file));
}

/* Add one process. All pages of a frozen file use memory, mapped or not. Pages
 * that were written use memory in addition. */
static void footprint_add(struct footprint *sum, const char *pid)
{
	__attribute__((cleanup(footprint_close))) FILE *file =
		footprint_open(pid, "smaps");
	const size_t known = sum->count;
	struct footprint_map map = {0};
	char line[FOOTPRINT_LINE_MAX];
	unsigned long long kb;

	while (file && fgets(line, sizeof(line), file)) {
		if (strchr("0123456789abcdef", *line))
			footprint_begin(sum, known, line, &map);
		else if (sscanf(line, map.frozen ? "Anonymous: %llu"
						 : "Pss: %llu", &kb) == 1 ||
			 (map.counts && sscanf(line, "Size: %llu", &kb) == 1))
			sum->kb += kb;
	}
}

uint64_t footprint_mb(pid_t group)
{
	__attribute__((cleanup(footprint_end))) DIR *dir = opendir("/proc");
	struct footprint sum = {0};
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
		    footprint_group(entry->d_name) == group)
			footprint_add(&sum, entry->d_name);
	return (sum.kb + 1023) / 1024;
}
