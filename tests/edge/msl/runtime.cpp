// Runs one compute kernel as a GPU would, on one thread of the host, and checks what it does with memory.
//
// A lane is a fiber. Lanes run one at a time, in an order drawn from a seed, and change only where they wait for
// each other, so a run is the same every time. The kernel is built with -fsanitize=thread, and the calls which that
// puts before each load and store arrive here instead of in libtsan: so each access is known by lane, and is held
// against the bounds of its buffer, against what other lanes did since the last barrier, and against memory that
// nobody has written.
#include "runtime.h"

#include <algorithm>
#include <cinttypes>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace msl {
namespace {

constexpr u64 kSlotBits = 30;              // every buffer has a gigabyte of addresses to itself
constexpr u64 kSlot = 1ul << kSlotBits;
constexpr u64 kMaxSlots = 64;
constexpr u64 kReserved = 256 * kSlot;     // a 32-bit index that wrapped, times 16 bytes, still falls inside
constexpr u64 kBefore = 64 * kSlot;
constexpr u64 kOffset = 1ul << 24;         // addresses below a buffer belong to its slot too
constexpr u64 kStack = 256 * 1024;
constexpr u8 kPoison = 0xff;               // a NaN as half and float, -1 as an integer
constexpr u32 kNobody = 0xffffffffu;
constexpr u32 kMany = 0xfffffffeu;
constexpr u32 kOfSimdgroup = 0x80000000u;  // with a simdgroup's index: several of its lanes
constexpr u32 kMaxReports = 8;

// Who touched a byte last. A group is a threadgroup's number in the grid.
struct Access {
  u32 group = kNobody;
  u32 lane = kNobody;
  u32 epoch = 0;
  u32 simd_epoch = 0;
  bool atomic = false;
};
struct Shadow {
  Access write;
  Access read;
  bool foreign_read = false;               // another threadgroup read it too
  u32 foreign_group = kNobody;
};

struct Region {
  u8* start = nullptr;
  u64 bytes = 0;
  bool shared = false;
  std::vector<Shadow> shadow;
  char name[48] = "";
};

enum class Wait { kRun, kBarrier, kSimdBarrier, kCollective, kDone };

struct Fiber {
  Lane lane{};
  jmp_buf at;
  ucontext_t context{};
  bool started = false;
  Wait wait = Wait::kRun;
  u32 flags = 0;
  int line = 0;
  bool whole = false;
  Combine combine = nullptr;
  void* payload = nullptr;
  u32 epoch[2] = {0, 0};                   // barriers passed that order device, threadgroup memory
  u32 simd_epoch[2] = {0, 0};
};

u8* space = nullptr;
u8* arena = nullptr;                       // where the slots begin within that space
u64 num_slots = 0;
Region regions[kMaxSlots];
u32 slot_of_buffer[32];
u32 slot_of_shared[32];
u32 shared_group[32];
Grid the_grid{};
u32 group_number = 0;
std::vector<Fiber*> fibers;
Fiber* current = nullptr;
jmp_buf scheduler;
std::set<std::string> reported;
u32 num_diverged = 0;

void report(const char* kind, const std::string& text, void* pc) {
  char where[32];
  std::snprintf(where, sizeof where, "%#" PRIxPTR, reinterpret_cast<uintptr_t>(pc) - 1);
  const std::string key = std::string(kind) + where;
  if (!reported.insert(key).second) return;
  std::fprintf(stderr, "msl\t%s\t%s\t%s\n", kind, where, text.c_str());
  if (reported.size() >= kMaxReports) std::exit(3);
}

Region& add_region(const char* name, u64 bytes, bool shared) {
  if (num_slots >= kMaxSlots) fail("runtime", "too many buffers");
  if (bytes > kSlot / 4) fail("runtime", "a buffer is too large", bytes);
  Region& r = regions[num_slots];
  u8* slot = arena + num_slots * kSlot;
  ++num_slots;
  const u64 page = 4096;
  const u64 pages = (bytes + page - 1) / page * page;
  if (mprotect(slot + kOffset, pages, PROT_READ | PROT_WRITE)) fail("runtime", "mprotect failed", bytes);
  r.start = slot + kOffset;
  r.bytes = bytes;
  r.shared = shared;
  r.shadow.assign(bytes, Shadow{});
  std::snprintf(r.name, sizeof r.name, "%s", name);
  return r;
}

u32 simdgroup_of(u32 lane) {
  if (lane >= kMany) return kNobody;
  return lane & kOfSimdgroup ? lane & ~kOfSimdgroup : lane / the_grid.simd_width;
}

bool ordered(const Access& before, bool shared) {
  if (before.group != group_number) return false;
  if (before.lane == current->lane.index) return true;
  if (before.epoch < current->epoch[shared]) return true;
  return simdgroup_of(before.lane) == current->lane.simdgroup && before.simd_epoch < current->simd_epoch[shared];
}

std::string describe(const Access& a) {
  char text[96];
  if (a.lane & kOfSimdgroup) {
    std::snprintf(text, sizeof text, "several lanes of threadgroup %u", a.group);
  } else {
    std::snprintf(text, sizeof text, "lane %u of threadgroup %u", a.lane, a.group);
  }
  return text;
}

void touch(void* address, u64 bytes, bool is_write, bool is_atomic, void* pc) {
  u8* p = static_cast<u8*>(address);
  if (current == nullptr || p < space || p >= space + kReserved) return;
  const int64_t slot = (p - arena) >> kSlotBits;
  static Region nothing;
  Region& r = slot >= 0 && slot < static_cast<int64_t>(kMaxSlots) ? regions[slot] : nothing;
  const int64_t offset = r.start ? p - r.start : 0;
  const char* verb = is_write ? "writes" : "reads";
  if (r.start == nullptr || offset < 0 || static_cast<u64>(offset) + bytes > r.bytes) {
    char text[200];
    std::snprintf(text, sizeof text, "lane %u of threadgroup %u %s %lu bytes at offset %" PRId64 " of %s, which has %lu bytes",
                  current->lane.index, group_number, verb, bytes, offset, r.start ? r.name : "no buffer", r.bytes);
    report("out-of-bounds", text, pc);
    std::exit(3);
  }
  if ((bytes & (bytes - 1)) == 0 && reinterpret_cast<uintptr_t>(p) % bytes) {
    char text[160];
    std::snprintf(text, sizeof text, "%lu bytes at offset %" PRId64 " of %s", bytes, offset, r.name);
    report("misaligned", text, pc);
  }
  for (u64 i = 0; i < bytes; ++i) {
    Shadow& s = r.shadow[offset + i];
    char text[256];
    if (!is_write && r.shared && s.write.group != group_number) {
      std::snprintf(text, sizeof text, "lane %u of threadgroup %u reads byte %" PRId64 " of %s, which nobody has written",
                    current->lane.index, group_number, offset + static_cast<int64_t>(i), r.name);
      report("uninitialised", text, pc);
    }
    const bool clash_write = s.write.group != kNobody && !(is_atomic && s.write.atomic) &&
                             !(r.shared && s.write.group != group_number) && !ordered(s.write, r.shared);
    if (clash_write) {
      std::snprintf(text, sizeof text, "lane %u of threadgroup %u %s byte %" PRId64 " of %s, which %s wrote, with no barrier between",
                    current->lane.index, group_number, verb, offset + static_cast<int64_t>(i), r.name,
                    describe(s.write).c_str());
      report("race", text, pc);
    }
    if (is_write) {
      const bool other_read = s.read.group != kNobody && !(is_atomic && s.read.atomic) &&
                              !(r.shared && s.read.group != group_number) && !ordered(s.read, r.shared);
      const bool foreign = !r.shared && s.foreign_read && !(is_atomic && s.read.atomic);
      if (other_read || foreign) {
        std::snprintf(text, sizeof text, "lane %u of threadgroup %u writes byte %" PRId64 " of %s, which %s read, with no barrier between",
                      current->lane.index, group_number, offset + static_cast<int64_t>(i), r.name,
                      describe(s.read).c_str());
        report("race", text, pc);
      }
    }
    const Access now{group_number, current->lane.index, current->epoch[r.shared], current->simd_epoch[r.shared], is_atomic};
    if (is_write) {
      s.write = now;
    } else if (s.read.group != group_number || ordered(s.read, r.shared)) {
      // An earlier reader that a barrier already parted from here can race with nobody that comes later.
      if (!r.shared && s.read.group != kNobody && s.read.group != group_number) s.foreign_read = true;
      s.read = now;
    } else if (s.read.lane != current->lane.index) {
      const u32 own = current->lane.simdgroup;
      const bool same = simdgroup_of(s.read.lane) == own;
      s.read = now;
      s.read.lane = same ? kOfSimdgroup | own : kMany;
    }
  }
}

void to_scheduler() {
  if (_setjmp(current->at) == 0) _longjmp(scheduler, 1);
}

void fiber_main() {
  for (;;) {
    msl_kernel();
    current->wait = Wait::kDone;
    to_scheduler();
  }
}

void resume(Fiber* f) {
  current = f;
  f->wait = Wait::kRun;
  if (_setjmp(scheduler) == 0) {
    if (f->started) _longjmp(f->at, 1);
    f->started = true;
    setcontext(&f->context);
  }
  current = nullptr;
}

void diverged(const char* what, const Fiber* f, u32 came, u32 expected) {
  char text[200];
  std::snprintf(text, sizeof text, "%u of %u lanes of threadgroup %u came to the %s of line %d; the others wait elsewhere or have ended",
                came, expected, group_number, what, f->line);
  std::fprintf(stderr, "msl\tdivergence\tline:%d\t%s\n", f->line, text);
  std::exit(3);
}

// Lets the lanes of one simdgroup go on that wait at one line for each other. False where none do.
bool release_simdgroup(u32 first, u32 last) {
  Fiber* chosen = nullptr;
  for (u32 i = first; i < last; ++i) {
    Fiber* f = fibers[i];
    if (f->wait != Wait::kCollective && f->wait != Wait::kSimdBarrier) continue;
    // The lanes that are furthest behind go first, so that they can catch up with the others.
    if (chosen == nullptr || f->line < chosen->line) chosen = f;
  }
  if (chosen == nullptr) return false;
  Collective set{the_grid.simd_width, {}};
  std::vector<Fiber*> members;
  for (u32 i = first; i < last; ++i) {
    Fiber* f = fibers[i];
    if (f->wait != chosen->wait || f->line != chosen->line || f->combine != chosen->combine) continue;
    set.payload[f->lane.lane] = f->payload;
    members.push_back(f);
  }
  const u32 came = static_cast<u32>(members.size());
  if (came != last - first) {
    if (chosen->whole) diverged(chosen->combine ? "simdgroup function" : "simdgroup_barrier", chosen, came, last - first);
    ++num_diverged;
  }
  if (chosen->combine) chosen->combine(set);
  for (Fiber* f : members) {
    if (f->combine == nullptr) {
      f->simd_epoch[0] += (f->flags & kDevice) != 0;
      f->simd_epoch[1] += (f->flags & kThreadgroup) != 0;
    }
    f->wait = Wait::kRun;
  }
  return true;
}

void run_group(std::mt19937& random) {
  const u32 total = static_cast<u32>(fibers.size());
  std::vector<Fiber*> order(fibers);
  for (Fiber* f : fibers) {
    f->wait = Wait::kRun;
    f->epoch[0] = f->epoch[1] = f->simd_epoch[0] = f->simd_epoch[1] = 0;
  }
  for (u32 id = 0; id < 32; ++id) shared_group[id] = kNobody;
  for (;;) {
    std::shuffle(order.begin(), order.end(), random);
    bool ran = false;
    for (Fiber* f : order) {
      if (f->wait == Wait::kRun) {
        resume(f);
        ran = true;
      }
    }
    if (ran) continue;
    bool released = false;
    for (u32 first = 0; first < total; first += the_grid.simd_width) {
      released |= release_simdgroup(first, std::min(total, first + the_grid.simd_width));
    }
    if (released) continue;
    Fiber* waiting = nullptr;
    u32 came = 0;
    for (Fiber* f : fibers) {
      if (f->wait != Wait::kBarrier) continue;
      if (waiting == nullptr) waiting = f;
      came += f->line == waiting->line;
    }
    if (waiting == nullptr) return;
    if (came != total) diverged("threadgroup_barrier", waiting, came, total);
    for (Fiber* f : fibers) {
      f->epoch[0] += (f->flags & kDevice) != 0;
      f->epoch[1] += (f->flags & kThreadgroup) != 0;
      f->wait = Wait::kRun;
    }
  }
}

void on_signal(int signal, siginfo_t* info, void*) {
  char text[160];
  const int n = std::snprintf(text, sizeof text, "msl\tcrash\t-\tsignal %d at address %p, lane %d of threadgroup %u\n", signal,
                              info->si_addr, current ? static_cast<int>(current->lane.index) : -1, group_number);
  if (write(2, text, n) < 0) _exit(4);
  _exit(3);
}

void read_exactly(void* to, u64 bytes) {
  if (bytes && std::fread(to, 1, bytes, stdin) != bytes) fail("runtime", "the job is cut short");
}

}  // namespace

const Lane& lane() { return current->lane; }
const Grid& grid() { return the_grid; }

void fail(const char* kind, const char* text, u64 value) {
  std::fprintf(stderr, "msl\t%s\tline:%lu\t%s\n", kind, value, text);
  std::exit(3);
}

void* buffer(u32 index) {
  if (index >= 32 || slot_of_buffer[index] == kNobody) fail("binding", "the kernel takes a buffer that the job does not bind", index);
  return regions[slot_of_buffer[index]].start;
}

void* threadgroup_memory(u32 id, u64 bytes) {
  if (slot_of_shared[id] == kNobody) {
    char name[48];
    std::snprintf(name, sizeof name, "threadgroup memory %u", id);
    slot_of_shared[id] = static_cast<u32>(num_slots);
    add_region(name, bytes, true);
  }
  Region& r = regions[slot_of_shared[id]];
  if (shared_group[id] != group_number) {
    shared_group[id] = group_number;
    std::memset(r.start, kPoison, r.bytes);
    std::fill(r.shadow.begin(), r.shadow.end(), Shadow{});
  }
  return r.start;
}

void threadgroup_barrier(u32 flags, int line) {
  current->flags = flags;
  current->line = line;
  current->wait = Wait::kBarrier;
  to_scheduler();
}

void simdgroup_barrier(u32 flags, int line) {
  current->flags = flags;
  current->line = line;
  current->combine = nullptr;
  current->whole = true;
  current->wait = Wait::kSimdBarrier;
  to_scheduler();
}

void collective(Combine combine, void* payload, int line, bool whole) {
  current->combine = combine;
  current->payload = payload;
  current->line = line;
  current->whole = whole;
  current->wait = Wait::kCollective;
  to_scheduler();
}

void atomic_access(void* address, u64 bytes) { touch(address, bytes, true, true, __builtin_return_address(0)); }

}  // namespace msl

#define MSL_HOOK(n)                                                                                              \
  extern "C" void __tsan_read##n(void* p) { msl::touch(p, n, false, false, __builtin_return_address(0)); }        \
  extern "C" void __tsan_write##n(void* p) { msl::touch(p, n, true, false, __builtin_return_address(0)); }
#define MSL_UNALIGNED_HOOK(n)                                                                                    \
  extern "C" void __tsan_unaligned_read##n(void* p) {                                                            \
    for (int i = 0; i < n; ++i) msl::touch(static_cast<char*>(p) + i, 1, false, false, __builtin_return_address(0)); \
  }                                                                                                              \
  extern "C" void __tsan_unaligned_write##n(void* p) {                                                           \
    for (int i = 0; i < n; ++i) msl::touch(static_cast<char*>(p) + i, 1, true, false, __builtin_return_address(0)); \
  }
MSL_HOOK(1) MSL_HOOK(2) MSL_HOOK(4) MSL_HOOK(8) MSL_HOOK(16)
MSL_UNALIGNED_HOOK(2) MSL_UNALIGNED_HOOK(4) MSL_UNALIGNED_HOOK(8) MSL_UNALIGNED_HOOK(16)
extern "C" void __tsan_read_range(void* p, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i) msl::touch(static_cast<char*>(p) + i, 1, false, false, __builtin_return_address(0));
}
extern "C" void __tsan_write_range(void* p, unsigned long n) {
  for (unsigned long i = 0; i < n; ++i) msl::touch(static_cast<char*>(p) + i, 1, true, false, __builtin_return_address(0));
}
extern "C" void __tsan_init() {}
extern "C" void __tsan_func_entry(void*) {}
extern "C" void __tsan_func_exit() {}

int main() {
  using namespace msl;
  struct sigaction action{};
  static char stack[16384];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(s, &action, nullptr);

  u64 header[10];
  read_exactly(header, sizeof header);
  for (int i = 0; i < 3; ++i) the_grid.groups[i] = static_cast<u32>(header[i]);
  for (int i = 0; i < 3; ++i) the_grid.threads[i] = static_cast<u32>(header[3 + i]);
  the_grid.simd_width = static_cast<u32>(header[6]);
  std::mt19937 random(static_cast<u32>(header[7]));
  const u64 num_buffers = header[8];

  void* reserved = mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) fail("runtime", "no address space for the buffers");
  space = static_cast<u8*>(reserved);
  arena = space + kBefore;
  for (u32 i = 0; i < 32; ++i) slot_of_buffer[i] = slot_of_shared[i] = kNobody;
  for (u64 b = 0; b < num_buffers; ++b) {
    u64 about[2];
    read_exactly(about, sizeof about);
    char name[48];
    std::snprintf(name, sizeof name, "buffer %lu", about[0]);
    if (about[0] >= 32) fail("runtime", "a buffer's index is too large", about[0]);
    slot_of_buffer[about[0]] = static_cast<u32>(num_slots);
    read_exactly(add_region(name, about[1], false).start, about[1]);
  }
  const u32* threads = the_grid.threads;
  const u32 total = threads[0] * threads[1] * threads[2];
  u8* stacks = static_cast<u8*>(mmap(nullptr, kStack * total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  for (u32 i = 0; i < total; ++i) {
    Fiber* f = new Fiber;
    f->lane.index = i;
    f->lane.position[0] = i % threads[0];
    f->lane.position[1] = i / threads[0] % threads[1];
    f->lane.position[2] = i / threads[0] / threads[1];
    f->lane.simdgroup = i / the_grid.simd_width;
    f->lane.lane = i % the_grid.simd_width;
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = stacks + i * kStack;
    f->context.uc_stack.ss_size = kStack;
    makecontext(&f->context, fiber_main, 0);
    fibers.push_back(f);
  }
  std::vector<u32> groups(static_cast<u64>(the_grid.groups[0]) * the_grid.groups[1] * the_grid.groups[2]);
  for (u32 i = 0; i < groups.size(); ++i) groups[i] = i;
  std::shuffle(groups.begin(), groups.end(), random);
  for (u32 g : groups) {
    group_number = g;
    the_grid.group[0] = g % the_grid.groups[0];
    the_grid.group[1] = g / the_grid.groups[0] % the_grid.groups[1];
    the_grid.group[2] = g / the_grid.groups[0] / the_grid.groups[1];
    run_group(random);
  }
  if (num_diverged) std::fprintf(stderr, "note\tdivergence\t-\t%u simdgroup functions ran with some lanes only\n", num_diverged);
  if (!reported.empty()) return 3;
  for (u32 i = 0; i < 32; ++i) {
    if (slot_of_buffer[i] == kNobody) continue;
    const Region& r = regions[slot_of_buffer[i]];
    std::fwrite(r.start, 1, r.bytes, stdout);
  }
  return 0;
}
