// What a kernel built for this machine needs of the program that runs it. See runtime.cpp.
#pragma once

namespace msl {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long;

enum MemoryFlags : u32 { kNone = 0, kDevice = 1, kThreadgroup = 2, kTexture = 4 };

struct Lane {
  u32 position[3];     // in the threadgroup
  u32 index;           // in the threadgroup
  u32 simdgroup;       // index in the threadgroup
  u32 lane;            // index in the simdgroup
};

struct Grid {
  u32 groups[3];
  u32 threads[3];      // a threadgroup
  u32 group[3];        // the one that runs now
  u32 simd_width;
};

// What the active lanes of a simdgroup brought to one call; null where a lane takes no part.
struct Collective {
  u32 width;
  void* payload[64];
};
using Combine = void (*)(Collective&);

const Lane& lane();
const Grid& grid();
void* buffer(u32 index);
void* threadgroup_memory(u32 id, u64 bytes);
void threadgroup_barrier(u32 flags, int line);
void simdgroup_barrier(u32 flags, int line);
// Waits for the lanes that come to the same line, then runs `combine` once over what they brought.
// `whole`: every lane of the simdgroup has to come.
void collective(Combine combine, void* payload, int line, bool whole);
void atomic_access(void* address, u64 bytes);
[[noreturn]] void fail(const char* kind, const char* text, u64 value = 0);

}  // namespace msl

// The kernel under test, called once a lane. Defined beside the kernel's text.
void msl_kernel();
