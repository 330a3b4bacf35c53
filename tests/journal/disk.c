/* A disk that remembers and misbehaves: put before the C library (LD_PRELOAD), it notes every call that changes files
   of one folder, in order, and lets the nth call of a kind fail. disk.py builds it and reads the notes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { FDS = 4096 };
static char folder[4096], *notes, watched[FDS];
static size_t folder_length, length, room;
static int noting;
static char failing_kind;
static long failing_from, failing_until, seen;
static int failing_errno;

struct note { char kind; char flag; uint16_t spare; int32_t fd; int64_t at; int64_t size; };

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static void put(const void *bytes, size_t size) {
  if (length + size > room) {
    room = (length + size) * 2 + 65536;
    notes = realloc(notes, room);
    if (!notes) abort();
  }
  memcpy(notes + length, bytes, size);
  length += size;
}

static void note(char kind, char flag, int fd, int64_t at, const void *bytes, int64_t size) {
  if (!noting) return;
  struct note head = {kind, flag, 0, fd, at, size};
  put(&head, sizeof head);
  put(bytes, size);
}

static int ours(const char *path) { return folder_length && path && !strncmp(path, folder, folder_length); }
static int held(int fd) { return fd >= 0 && fd < FDS && watched[fd]; }

/* Whether this call is one that shall fail; errno is set then. */
static int fails(char kind) {
  if (kind != failing_kind) return 0;
  long n = seen++;
  if (n < failing_from || n >= failing_until) return 0;
  errno = failing_errno;
  return 1;
}

void disk_watch(const char *path) {
  snprintf(folder, sizeof folder, "%s", path);
  folder_length = strlen(folder);
  memset(watched, 0, sizeof watched);
}
void disk_note(int on) { noting = on; }
void disk_forget(void) { length = 0; }
void disk_mark(int64_t number) { note('M', 0, -1, number, "", 0); }
size_t disk_notes(const char **bytes) { *bytes = notes; return length; }
void disk_fail(char kind, long from, long until, int number) {
  failing_kind = kind; failing_from = from; failing_until = until; failing_errno = number; seen = 0;
}
long disk_seen(void) { return seen; }

static int opened(int fd, const char *path, int flags, int existed) {
  if (fd >= 0 && fd < FDS) {
    watched[fd] = ours(path);
    if (watched[fd]) note(existed ? 'O' : 'C', (flags & O_TRUNC) != 0, fd, 0, path, strlen(path));
  }
  return fd;
}
static int do_open(const char *name, const char *path, int flags, mode_t mode) {
  int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
  if (!ours(path)) return opened(real(path, flags, mode), path, flags, 1);
  if (fails('O')) return -1;
  int existed = access(path, F_OK) == 0;
  return opened(real(path, flags, mode), path, flags, existed);
}
#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); \
    mode_t mode = (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
    va_end(rest); \
    return do_open(#name, path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  REAL(int, "close", int);
  if (fd >= 0 && fd < FDS) watched[fd] = 0;
  return real(fd);
}
ssize_t write(int fd, const void *bytes, size_t size) {
  REAL(ssize_t, "write", int, const void *, size_t);
  if (!held(fd)) return real(fd, bytes, size);
  if (fails('W')) return -1;
  off_t at = lseek(fd, 0, SEEK_CUR);
  ssize_t done = real(fd, bytes, size);
  if (done > 0) note('W', 0, fd, at, bytes, done);
  return done;
}
#define PWRITE(name, offset) \
  ssize_t name(int fd, const void *bytes, size_t size, offset at) { \
    REAL(ssize_t, #name, int, const void *, size_t, offset); \
    if (held(fd) && fails('W')) return -1; \
    ssize_t done = real(fd, bytes, size, at); \
    if (done > 0 && held(fd)) note('W', 0, fd, at, bytes, done); \
    return done; \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)
#define TRUNCATE(name, offset) \
  int name(int fd, offset size) { \
    REAL(int, #name, int, offset); \
    if (held(fd) && fails('W')) return -1; \
    int done = real(fd, size); \
    if (!done && held(fd)) note('T', 0, fd, size, "", 0); \
    return done; \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)
#define SYNC(name) \
  int name(int fd) { \
    REAL(int, #name, int); \
    if (held(fd) && fails('S')) { note('F', 0, fd, 0, "", 0); return -1; } \
    int done = real(fd); \
    if (held(fd)) note(done ? 'F' : 'S', 0, fd, 0, "", 0); \
    return done; \
  }
SYNC(fsync)
SYNC(fdatasync)
int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  if (ours(from) && fails('W')) return -1;
  int done = real(from, to);
  if (!done && ours(from)) {
    char both[8192];
    int size = snprintf(both, sizeof both, "%s\n%s", from, to);
    note('R', 0, -1, 0, both, size);
  }
  return done;
}
int unlink(const char *path) {
  REAL(int, "unlink", const char *);
  if (ours(path) && fails('W')) return -1;
  int done = real(path);
  if (!done && ours(path)) note('U', 0, -1, 0, path, strlen(path));
  return done;
}
