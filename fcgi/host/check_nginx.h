/*
 * check_nginx - does the nginx of this host fit the configuration?
 *
 * It reads nginx's files and starts nothing. nginx is configured by an
 * operator, perhaps on another host, so that a result is advice.
 */
#ifndef TERRARIUM_CHECK_NGINX_H
#define TERRARIUM_CHECK_NGINX_H

#include "conf/conf.h"

/* Can the user of nginx below DIR, usually /etc/nginx, open the sockets? TEXT
 * gets a sentence of at most SIZE bytes. 1: yes, or there is no nginx. 0: no. */
int check_nginx_user(const char *dir, const struct conf *conf, char *text,
		     size_t size);

/* Do the limits of nginx's site agree with CONF? Result and TEXT as above. */
int check_nginx_limits(const char *dir, const struct conf *conf, char *text,
		       size_t size);

#endif
