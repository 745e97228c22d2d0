/*
 * test_query - the parameters of a request's address.
 */
#include <string.h>

#include "tests/unit/support.h"
#include "fcgi/http/query.h"

static const struct {
	const char *query;
	int count; /* of the parameter "name" */
	const char *value;
	size_t size;
} query_examples[] = {
	{"", 0, NULL, 0},
	{"other=1", 0, NULL, 0},
	{"name", 1, "", 0},
	{"name=", 1, "", 0},
	{"name=a", 1, "a", 1},
	{"name=a=b", 1, "a=b", 3},
	{"x=1&name=a&y", 1, "a", 1},
	{"&&name=a&", 1, "a", 1},
	{"name=a&name=b", 2, "b", 1},
	{"name=a&name", 2, "", 0},
	{"n%61me=a", 1, "a", 1},
	{"Name=a", 0, NULL, 0},
	{"name2=a&nam=b", 0, NULL, 0},
	{"name%00=a", 0, NULL, 0},
	{"name=%2f%2F+%2B", 1, "// +", 4},
	{"name=%00a", 1, "\0a", 2},
	{"name=%", 1, "%", 1},
	{"name=%4", 1, "%4", 2},
	{"name=%4g%g4%%41", 1, "%4g%g4%A", 8},
	{"name=%e4%b8%ad", 1, "\xe4\xb8\xad", 3},
	{"name=a%26b", 1, "a&b", 3},
};

static void parameters_are_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(query_examples); i++) {
		struct bytes value;
		int count = query_find(query_examples[i].query, "name", &value);

		assert_int_equal(count, query_examples[i].count);
		assert_int_equal(value.size, query_examples[i].size);
		assert_int_equal(value.data == NULL, count == 0);
		if (count > 0) {
			assert_memory_equal(value.data, query_examples[i].value,
					    value.size);
			assert_int_equal(value.data[value.size], '\0');
		}
		free(value.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_are_found),
	};

	return cmocka_run_group_tests_name("query", tests, NULL, NULL);
}
