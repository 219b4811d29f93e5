// Makes writes and syncs of regular files below a folder fail, like a full or broken disk. Loaded into the
// server with LD_PRELOAD; the tests control it through a shared file:
//   STALHOF_FAULTS=file   eight 32-bit numbers: for writes and then for syncs, the calls that still succeed,
//                         the calls that fail after them (-1: all), the error number, and the failures so far
//   STALHOF_FAULTS_BELOW=folder
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct rule { int32_t pass, fail, error, failed; };
static struct rule *rules;
static const char *below;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("STALHOF_FAULTS");
  below = getenv("STALHOF_FAULTS_BELOW");
  int file = path && below ? open(path, O_RDWR) : -1;
  if (file < 0) return;
  void *shared = mmap(NULL, 2 * sizeof(struct rule), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) rules = shared;
  close(file);
}

static int is_ours(int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, below, strlen(below)) == 0;
}

// True if this call must fail, with the error in errno.
static int fails(struct rule *rule, int descriptor) {
  if (!rules || !__atomic_load_n(&rule->fail, __ATOMIC_ACQUIRE) || !is_ours(descriptor)) return 0;
  if (__atomic_load_n(&rule->pass, __ATOMIC_ACQUIRE) > 0 && __atomic_fetch_sub(&rule->pass, 1, __ATOMIC_ACQ_REL) > 0)
    return 0;
  int32_t left = __atomic_load_n(&rule->fail, __ATOMIC_ACQUIRE);
  do {
    if (left == 0) return 0;
    if (left < 0) break;
  } while (!__atomic_compare_exchange_n(&rule->fail, &left, left - 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  __atomic_fetch_add(&rule->failed, 1, __ATOMIC_ACQ_REL);
  errno = rule->error;
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define GUARDED(which, result, name, declared, passed)  \
  result name declared {                                \
    static __typeof__(&name) real;                      \
    if (!real) real = REAL(name);                       \
    return fails(&rules[which], descriptor) ? -1 : real passed; \
  }

GUARDED(0, ssize_t, write, (int descriptor, const void *bytes, size_t count), (descriptor, bytes, count))
GUARDED(0, ssize_t, writev, (int descriptor, const struct iovec *parts, int count), (descriptor, parts, count))
GUARDED(0, ssize_t, pwrite, (int descriptor, const void *bytes, size_t count, off_t at), (descriptor, bytes, count, at))
GUARDED(0, ssize_t, pwrite64, (int descriptor, const void *bytes, size_t count, off64_t at), (descriptor, bytes, count, at))
GUARDED(1, int, fsync, (int descriptor), (descriptor))
GUARDED(1, int, fdatasync, (int descriptor), (descriptor))
