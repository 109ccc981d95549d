/* A Vulkan layer that makes a working driver fail, as BENCH_FAULT says, from the BENCH_FAULT_AFTER-th call on:
   lost-submit, lost-wait, hang-wait, oom-device, oom-host, kill, stall. Only what the layer interface needs of
   Vulkan's declarations stands here, so that no headers are needed. */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*Function)(void);
typedef Function (*GetInstanceProc)(void*, const char*);
typedef Function (*GetDeviceProc)(void*, const char*);
typedef struct InstanceLink { struct InstanceLink* next; GetInstanceProc get; void* get_physical; } InstanceLink;
typedef struct DeviceLink { struct DeviceLink* next; GetInstanceProc get_instance; GetDeviceProc get; } DeviceLink;
/* Head of every structure in a chain; the loader's own continue with a function and a pointer. */
typedef struct Chained { int32_t type; const struct Chained* next; int32_t function; void* link; } Chained;
typedef int32_t (*CreateInstance)(const Chained*, const void*, void**);
typedef int32_t (*CreateDevice)(void*, const Chained*, const void*, void**);
typedef int32_t (*Submit)(void*, uint32_t, const void*, uint64_t);
typedef int32_t (*Wait)(void*, uint32_t, const uint64_t*, uint32_t, uint64_t);
typedef int32_t (*Allocate)(void*, const void*, const void*, uint64_t*);

enum { LOADER_INSTANCE = 47, LOADER_DEVICE = 48, LINK_INFO = 0 };
enum { TIMEOUT = 2, NO_HOST_MEMORY = -1, NO_DEVICE_MEMORY = -2, FAILED = -3, LOST = -4 };

static GetInstanceProc next_instance;
static GetDeviceProc next_device;

static int due(const char* fault) {
    static int calls;
    const char* wanted = getenv("BENCH_FAULT");
    const char* after = getenv("BENCH_FAULT_AFTER");
    if (!wanted || strcmp(wanted, fault)) return 0;
    return ++calls > (after ? atoi(after) : 0);
}

static Chained* find_link(const Chained* info, int32_t type) {
    for (const Chained* at = info->next; at; at = at->next)
        if (at->type == type && at->function == LINK_INFO) return (Chained*)at;
    return NULL;
}

static int32_t create_instance(const Chained* info, const void* allocator, void** made) {
    Chained* chained = find_link(info, LOADER_INSTANCE);
    if (!chained) return FAILED;
    InstanceLink* link = chained->link;
    next_instance = link->get;
    chained->link = link->next;
    return ((CreateInstance)next_instance(NULL, "vkCreateInstance"))(info, allocator, made);
}

static int32_t create_device(void* physical, const Chained* info, const void* allocator, void** made) {
    Chained* chained = find_link(info, LOADER_DEVICE);
    if (!chained) return FAILED;
    DeviceLink* link = chained->link;
    next_device = link->get;
    chained->link = link->next;
    return ((CreateDevice)link->get_instance(NULL, "vkCreateDevice"))(physical, info, allocator, made);
}

static void* device;

static int32_t submit(void* queue, uint32_t count, const void* submits, uint64_t fence) {
    if (due("kill")) kill(getpid(), SIGKILL);
    if (due("crash")) abort();
    if (due("stall")) for (;;) pause();
    if (due("lost-submit")) return LOST;
    return ((Submit)next_device(device, "vkQueueSubmit"))(queue, count, submits, fence);
}

static int32_t wait_for(void* of, uint32_t count, const uint64_t* fences, uint32_t all, uint64_t timeout) {
    if (due("lost-wait")) return LOST;
    if (due("hang-wait")) return TIMEOUT;
    return ((Wait)next_device(of, "vkWaitForFences"))(of, count, fences, all, timeout);
}

static int32_t allocate(void* of, const void* info, const void* allocator, uint64_t* made) {
    device = of;
    if (due("oom-device")) return NO_DEVICE_MEMORY;
    if (due("oom-host")) return NO_HOST_MEMORY;
    return ((Allocate)next_device(of, "vkAllocateMemory"))(of, info, allocator, made);
}

Function fault_device_proc(void* of, const char* name) {
    device = of;
    if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)fault_device_proc;
    if (!strcmp(name, "vkQueueSubmit")) return (Function)submit;
    if (!strcmp(name, "vkWaitForFences")) return (Function)wait_for;
    if (!strcmp(name, "vkAllocateMemory")) return (Function)allocate;
    return next_device(of, name);
}

Function fault_instance_proc(void* instance, const char* name) {
    if (!strcmp(name, "vkGetInstanceProcAddr")) return (Function)fault_instance_proc;
    if (!strcmp(name, "vkCreateInstance")) return (Function)create_instance;
    if (!strcmp(name, "vkCreateDevice")) return (Function)create_device;
    if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)fault_device_proc;
    return next_instance ? next_instance(instance, name) : NULL;
}
