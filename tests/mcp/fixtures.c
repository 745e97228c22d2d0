/*
 * fixtures - tools that the protocol's conformance suite calls by name, as
 * programs for run_python. They are part of a build for tests only, and go the
 * way of all calls: into a guest, and its outcome into content of the protocol.
 */
#include "fcgi/mcp/mcp_resource.h"
#include "fcgi/mcp/mcp_tool.h"

#include <string.h>

#define PICTURE                                                              \
	"class Picture:\\n"                                                  \
	"    def _repr_png_(self):\\n"                                       \
	"        return b'\\\\x89PNG' + bytes(8)\\n"                         \
	"display(Picture())\\n"

/* Arguments of run_python. They can be written to, because a text is decoded
 * where it stands. */
static struct fixture {
	const char *name;
	char arguments[256];
} fixtures[] = {
	{"test_simple_text", "{\"code\":\"print('simple text')\"}"},
	{"test_image_content", "{\"code\":\"" PICTURE "\"}"},
	{"test_embedded_resource",
	 "{\"code\":\"open('a.txt', 'w').write('embedded'); None\"}"},
	{"test_multiple_content_types",
	 "{\"code\":\"print('mixed')\\n" PICTURE
	 "open('a.json', 'w').write('{}'); None\"}"},
	{"test_error_handling",
	 "{\"code\":\"raise ValueError('on purpose')\"}"},
	{"test_tool_with_progress",
	 "{\"code\":\"import time\\nfor n in range(20):\\n"
	 "    print(n, flush=True); time.sleep(0.05)\"}"},
};

/* Resources of the suite, as files of a session that the test has filled. */
static const struct {
	const char *uri, *file; /* FILE is JSON */
} fixture_resources[] = {
	{"test://static-text",
	 "\"file:///home/user/static.txt?session=fixtures\""},
	{"test://static-binary",
	 "\"file:///home/user/static.png?session=fixtures\""},
	{"test://template/123/data",
	 "\"file:///home/user/123.json?session=fixtures\""},
};

void mcp_fixture_resource(struct json_span *uri)
{
	for (size_t i = 0; i < ARRAY_LEN(fixture_resources); i++)
		if (json_is(*uri, fixture_resources[i].uri))
			*uri = json_whole(fixture_resources[i].file,
					  strlen(fixture_resources[i].file));
}

bool mcp_fixture(struct json_span name, struct json_span *arguments)
{
	for (size_t i = 0; i < ARRAY_LEN(fixtures); i++)
		if (json_is(name, fixtures[i].name)) {
			*arguments = json_whole(fixtures[i].arguments,
						strlen(fixtures[i].arguments));
			return true;
		}
	return false;
}
