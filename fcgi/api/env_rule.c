/* env_rule - see env_rule.h. */
#include "env_rule.h"

#include <string.h>

#include "sandbox/text/text.h"

/*
 * Variables that control the interpreter, the loader or libc; a star stands
 * for any ending. They are refused because the guest has started already and
 * they would have no effect, which a client should learn.
 */
static const char *const env_rule_refused[] = {
	"PYTHON*",         "LD_*",        "MALLOC_*",     "GLIBC_*",
	"GCONV_PATH",      "GETCONF_DIR", "HOSTALIASES",  "LOCALDOMAIN",
	"LOCPATH",         "NIS_PATH",    "NLSPATH",      "RESOLV_HOST_CONF",
	"RES_OPTIONS",     "TZDIR",       "OPENSSL_CONF", "OPENSSL_ENGINES",
	"OPENSSL_MODULES",
};

static bool env_rule_is_refused(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(env_rule_refused); i++) {
		size_t stem = strcspn(env_rule_refused[i], "*");

		if (strncmp(name, env_rule_refused[i], stem) == 0 &&
		    (env_rule_refused[i][stem] == '*' || name[stem] == '\0'))
			return true;
	}
	return false;
}

static bool env_rule_is_name(const char *name)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	static const char more[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
		"0123456789";

	return *name && strchr(letters, *name) && !name[strspn(name, more)];
}

int env_rule_check(const struct bytes *name, const char *field,
		   struct refusal *why)
{
	char shown[TEXT_SHOW_SIZE];

	text_show(shown, name->data, name->size);
	if (!env_rule_is_name(name->data))
		return refuse(why, 400, "bad_env",
			      "%s: \"%s\" is not a name of letters, digits "
			      "and _ that begins with no digit", field, shown);
	if (env_rule_is_refused(name->data))
		return refuse(why, 400, "bad_env", "%s: %s may not be set",
			      field, shown);
	return 0;
}
