/* A Vulkan driver that never answers, or crashes, as BENCH_DRIVER says. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int32_t vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
    const char* how = getenv("BENCH_DRIVER");
    (void)version;
    if (how && !strcmp(how, "crash")) abort();
    for (;;) pause();
}

void* vk_icdGetInstanceProcAddr(void* instance, const char* name) {
    (void)instance;
    (void)name;
    return NULL;
}
