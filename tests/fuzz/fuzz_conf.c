/*
 * fuzz_conf - any bytes as a configuration file.
 *
 * Besides memory errors: a refusal has a sentence, and what was taken prints
 * as a file that is taken again and prints the same.
 */
#include <string.h>

#include "conf/conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *fuzz_printed(const struct conf *conf, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		abort();
	conf_print(conf, out);
	if (fclose(out) != 0)
		abort();
	return text;
}

static void fuzz_round_trip(const struct conf *conf)
{
	char error[CONF_ERROR_MAX];
	size_t size = 0, again_size = 0;
	owned_free char *text = fuzz_printed(conf, &size);
	owned_free char *again_text = NULL;
	struct conf again;

	if (conf_parse(&again, "printed", text, size, error) != 0)
		abort();
	again_text = fuzz_printed(&again, &again_size);
	if (strcmp(text, again_text) != 0)
		abort();
	conf_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char error[CONF_ERROR_MAX];
	struct conf conf;
	int result = conf_parse(&conf, "fuzz", (const char *)data, size,
				error);

	if ((result == 0) != (error[0] == '\0'))
		abort();
	if (result == 0)
		fuzz_round_trip(&conf);
	conf_free(&conf);
	return 0;
}
