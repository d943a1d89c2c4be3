/* Bridge for programs that call a Bladed-style controller, OpenFAST first: every call goes to the Gearwright host over a
   local socket and comes back. The controller's input file tells where: lines "socket PATH", "token TEXT", "timeout S".

   Request: "GWRQ", int32 status, uint32 count, count floats (records 1 to count). The first is preceded by the token.
   Reply: "GWRP", int32 failure, uint32 length of the message, uint32 count, floats, message.
   A host that has gone, or says nothing for the timeout, is a failure with a message; nothing waits for ever. */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

enum { RECORDS = 130, TOKEN = 32, MESSAGE = 1024 };
enum { FAILED = -1 };

static int line_ = -1;      /* the socket */
static int ended = 0;       /* after the last call or a failure: nothing is sent any more */
static char reason[MESSAGE];

/* records that a controller writes; the others belong to the caller */
static const unsigned char written[] = {35, 36, 41, 42, 43, 44, 45, 46, 47, 48, 55, 56, 72, 79, 80, 81, 92, 93, 94, 98, 102, 107, 108};

static int fail(const char *what) {
  snprintf(reason, sizeof reason, "Gearwright bridge: %s", what);
  if (line_ >= 0) close(line_);
  line_ = -1;
  ended = 1;
  return FAILED;
}

static int put(const void *data, size_t size) {
  const char *at = (const char *)data;
  while (size > 0) {
    ssize_t n = send(line_, at, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(errno == EAGAIN ? "the host does not listen (timeout)" : "the host has ended");
    at += n;
    size -= (size_t)n;
  }
  return 0;
}

static int take(void *data, size_t size) {
  char *at = (char *)data;
  while (size > 0) {
    ssize_t n = recv(line_, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) return fail("the host has ended");
    if (n < 0) return fail(errno == EAGAIN || errno == EWOULDBLOCK ? "the host does not answer (timeout)" : "the host has ended");
    at += n;
    size -= (size_t)n;
  }
  return 0;
}

static int connect_host(const char *infile) {
  char path[sizeof(((struct sockaddr_un *)0)->sun_path)] = "", token[TOKEN + 1] = "", row[512];
  double timeout = 60.0;
  FILE *file = fopen(infile, "r");
  if (!file) {
    snprintf(row, sizeof row, "its file '%.300s' cannot be read; is it the DLL_InFile of ServoDyn?", infile);
    return fail(row);
  }
  while (fgets(row, sizeof row, file)) {
    row[strcspn(row, "\r\n")] = 0;
    if (!strncmp(row, "socket ", 7) && strlen(row + 7) < sizeof path) strcpy(path, row + 7);
    if (!strncmp(row, "token ", 6) && strlen(row + 6) == TOKEN) strcpy(token, row + 6);
    if (!strncmp(row, "timeout ", 8)) sscanf(row + 8, "%lf", &timeout);
  }
  fclose(file);
  if (!path[0] || !token[0]) return fail("its file names no socket and token; it is written by gearwright couple openfast");
  line_ = socket(AF_UNIX, SOCK_STREAM, 0);
  if (line_ < 0) return fail("no socket can be made");
  struct timeval wait = {(long)timeout, (long)((timeout - (long)timeout) * 1e6)};
  setsockopt(line_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  setsockopt(line_, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
  struct sockaddr_un address;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, path);
  if (connect(line_, (struct sockaddr *)&address, sizeof address))
    return fail("no host listens; start it with gearwright couple openfast");
  return put(token, TOKEN);
}

static void tell(float *swap, char *message) {
  int room = (int)swap[48];
  if (!message || room < 1) return;
  int n = (int)strlen(reason);
  if (n > room - 1) n = room - 1;
  memcpy(message, reason, (size_t)n);
  message[n] = 0;
}

static int exchange(float *swap, const char *infile) {
  int status = (int)swap[0];
  if (line_ < 0) {
    char name[1024];
    int length = (int)swap[49];
    if (status < 0) return 0; /* never begun: nothing to end */
    if (length < 0 || length >= (int)sizeof name) length = (int)sizeof name - 1;
    memcpy(name, infile, (size_t)length);
    name[length] = 0;
    name[strcspn(name, "\r\n")] = 0;
    for (length = (int)strlen(name); length > 0 && name[length - 1] == ' ';) name[--length] = 0;
    if (connect_host(name)) return FAILED;
  }
  struct { char mark[4]; int32_t status; uint32_t count; } request = {{'G', 'W', 'R', 'Q'}, status, RECORDS};
  struct { char mark[4]; int32_t failure; uint32_t length, count; } reply;
  float back[RECORDS];
  if (put(&request, sizeof request) || put(swap, RECORDS * sizeof(float)) || take(&reply, sizeof reply)) return FAILED;
  if (memcmp(reply.mark, "GWRP", 4) || reply.count != RECORDS || reply.length >= sizeof reason)
    return fail("the host answers in another language; are both of one version?");
  if (take(back, sizeof back) || take(reason, reply.length)) return FAILED;
  reason[reply.length] = 0;
  if (status >= 0 && reply.failure >= 0)
    for (size_t i = 0; i < sizeof written; i++) swap[written[i] - 1] = back[written[i] - 1];
  if (status == -1 || reply.failure < 0) {
    close(line_);
    line_ = -1;
    ended = 1;
  }
  return reply.failure;
}

void DISCON(float *swap, int *failure, char *infile, char *outname, char *message) {
  (void)outname;
  if (ended && (int)swap[0] == 0) ended = 0; /* a new run in the same process */
  if (ended) {
    *failure = (int)swap[0] < 0 ? 0 : FAILED;
  } else {
    reason[0] = 0;
    *failure = exchange(swap, infile);
  }
  tell(swap, message);
}
