// A library for the thread sanitiser, loaded before all others (LD_PRELOAD).
//
// The sanitiser sees the fast path of Swift's Mutex, which is compiled into the program, but not the rest in the library
// Synchronization. Without this library it reports accesses after a wait for a mutex as races.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define CONTEXT __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Programs without the sanitiser have neither function.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

typedef SWIFT void lock_function(uint32_t thread, CONTEXT void *mutex);
typedef SWIFT bool try_lock_function(CONTEXT void *mutex);
typedef SWIFT void unlock_function(CONTEXT void *mutex);

SWIFT void lock(uint32_t thread, CONTEXT void *mutex) __asm__(LOCK);
SWIFT bool try_lock(CONTEXT void *mutex) __asm__(TRY_LOCK);
SWIFT void unlock(CONTEXT void *mutex) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, CONTEXT void *mutex) {
  ((lock_function *)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock(CONTEXT void *mutex) {
  const bool is_locked = ((try_lock_function *)dlsym(RTLD_NEXT, TRY_LOCK))(mutex);
  if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void unlock(CONTEXT void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((unlock_function *)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
