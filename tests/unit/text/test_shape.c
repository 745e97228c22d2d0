/*
 * test_shape - the forms of values, and their JSON schemas.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <string.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/shape.h"

static const struct shape_row inner[] = {
	{"name", true, "string", "A name."},
	{"size", false, "integer 0..", NULL},
};

static const struct shape_row outer[] = {
	{"list", true, "[Inner]", NULL},
	{"one", true, "Inner|null", NULL},
};

static const struct shape_row within[] = {
	{"itself", true, "Within", NULL},
};

static const struct shape_type type_rows[] = {
	{"Inner", "One.", SHAPE_ROWS(inner), false},
	{"Outer", NULL, SHAPE_ROWS(outer), true},
	{"Within", NULL, SHAPE_ROWS(within), false},
};

static const struct shape_types types = {type_rows, ARRAY_LEN(type_rows)};

static void each_form_has_its_schema(void **state)
{
	static const struct {
		const char *shape, *schema;
	} rows[] = {
		{"string", "{\"type\":\"string\"}"},
		{"any", "{}"},
		{"bytes", "{}"},
		{"base64", "{\"type\":\"string\","
			   "\"contentEncoding\":\"base64\"}"},
		{"integer 1..8", "{\"type\":\"integer\",\"minimum\":1,"
				 "\"maximum\":8}"},
		{"string 1..", "{\"type\":\"string\",\"minLength\":1}"},
		{"integer 0..|null", "{\"type\":[\"integer\",\"null\"],"
				     "\"minimum\":0}"},
		{"'a'|'b'", "{\"type\":\"string\",\"enum\":[\"a\",\"b\"]}"},
		{"'a'|null", "{\"type\":[\"string\",\"null\"],"
			     "\"enum\":[\"a\",null]}"},
		{"[string|integer]", "{\"type\":\"array\",\"items\":"
				     "{\"type\":[\"string\",\"integer\"]}}"},
		{"{[any]}", "{\"type\":\"object\",\"additionalProperties\":"
			    "{\"type\":\"array\",\"items\":{}}}"},
		{"boolean = false", "{\"type\":\"boolean\",\"default\":false}"},
		{"Inner", "{\"$ref\":\"#/components/schemas/Inner\"}"},
		{"Inner|[Inner]",
		 "{\"anyOf\":[{\"$ref\":\"#/components/schemas/Inner\"},"
		 "{\"type\":\"array\",\"items\":"
		 "{\"$ref\":\"#/components/schemas/Inner\"}}]}"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text text = {0};

		shape_add(&text, rows[i].shape, NULL, &types, false);
		assert_int_equal(text.error, 0);
		text_add(&text, "", 1);
		assert_string_equal(text.data, rows[i].schema);
		text_free(&text);
	}
}

static void a_wrong_form_is_an_error(void **state)
{
	static const char *const rows[] = {
		"",         "strin",   "strings", "[string", "{any",  "'a",
		"string|",  "Unknown", "integer 1", "string x", "Within"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text text = {0};

		shape_add(&text, rows[i], NULL, &types, true);
		assert_true(text.error < 0);
		text_free(&text);
	}
}

static void an_object_has_its_members(void **state)
{
	struct text text = {0};

	(void)state;
	shape_add_object(&text, &type_rows[0], &types, false);
	text_add(&text, "\n", 1);
	shape_add_object(&text, &type_rows[1], &types, true);
	assert_int_equal(text.error, 0);
	text_add(&text, "", 1);
#define MEMBERS                                                            \
	"\"type\":\"object\",\"properties\":{"                             \
	"\"name\":{\"type\":\"string\",\"description\":\"A name.\"},"      \
	"\"size\":{\"type\":\"integer\",\"minimum\":0}},"                  \
	"\"required\":[\"name\"]"
	assert_string_equal(
		text.data,
		"{" MEMBERS ",\"description\":\"One.\"}\n"
		"{\"type\":\"object\",\"properties\":{\"list\":"
		"{\"type\":\"array\",\"items\":{" MEMBERS "}},"
		"\"one\":{\"type\":[\"object\",\"null\"],"
		"\"properties\":{\"name\":{\"type\":\"string\","
		"\"description\":\"A name.\"},\"size\":{\"type\":\"integer\","
		"\"minimum\":0}},\"required\":[\"name\"]}},"
		"\"required\":[\"list\",\"one\"],"
		"\"additionalProperties\":true}");
	text_free(&text);
}

/* A parser's table is the source of the description, required fields first. */
static void fields_describe_themselves(void **state)
{
	static const struct field rows[] = {
		{"flag", JSON_BOOL, false, NULL, NULL, "A flag."},
		{"count", JSON_NUMBER, true, NULL, "integer 1..", NULL},
	};
	static const struct fields fields = {rows, ARRAY_LEN(rows),
					     .bad_type = 400};
	struct shape_row found[FIELDS_MAX];

	(void)state;
	fields_describe(&fields, found);
	assert_string_equal(found[0].name, "count");
	assert_string_equal(found[0].shape, "integer 1..");
	assert_true(found[0].required);
	assert_string_equal(found[1].shape, "boolean");
	assert_string_equal(found[1].about, "A flag.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_has_its_schema),
		cmocka_unit_test(a_wrong_form_is_an_error),
		cmocka_unit_test(an_object_has_its_members),
		cmocka_unit_test(fields_describe_themselves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
