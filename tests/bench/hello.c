/*
 * hello - the floor: a FastCGI program that answers what it is given.
 *
 *	hello SOCKET PROCESSES FILE
 *
 * PROCESSES of them, forked once, read each request to its end and answer
 * with FILE's content; no Python, no walls, nothing forked for a request. They
 * end with the process that started them.
 */
#include <fcgiapp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sandbox/base/base.h"

#define HELLO_BACKLOG 512
#define HELLO_ANSWER_MAX (64 * 1024)

static char answer[HELLO_ANSWER_MAX];
static size_t answer_size;

static void quit(const char *what)
{
	fprintf(stderr, "hello: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void serve(int listener)
{
	static char body[64 * 1024];
	FCGX_Request request;

	FCGX_InitRequest(&request, listener, 0);
	while (FCGX_Accept_r(&request) == 0) {
		while (FCGX_GetStr(body, sizeof(body), request.in) ==
		       (int)sizeof(body))
			;
		FCGX_FPrintF(request.out,
			     "Status: 200 OK\r\n"
			     "Content-Type: application/json\r\n"
			     "Content-Length: %d\r\n\r\n", (int)answer_size);
		FCGX_PutStr(answer, (int)answer_size, request.out);
		FCGX_Finish_r(&request);
	}
}

static void read_answer(const char *path)
{
	FILE *file = fopen(path, "rb");

	if (!file)
		quit(path);
	answer_size = fread(answer, 1, sizeof(answer), file);
	fclose(file);
}

int main(int argc, char **argv)
{
	if (argc != 4 || FCGX_Init() != 0) {
		fputs("usage: hello SOCKET PROCESSES FILE\n", stderr);
		return 2;
	}
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	read_answer(argv[3]);
	int listener = FCGX_OpenSocket(argv[1], HELLO_BACKLOG);

	if (listener < 0 || chmod(argv[1], 0666) < 0)
		quit(argv[1]);
	for (int i = atoi(argv[2]); i > 0; i--) {
		pid_t pid = fork();

		if (pid < 0)
			quit("fork");
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			serve(listener);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
