/* Runs a SPIR-V kernel on one Vulkan device and prints device seconds and processor seconds a run, one
   line a sample. It shares no code
   with the project's runtime: it is what that one's times are held against.

   usage: dispatch DEVICE_NAME MODULE ENTRY RUNS SAMPLES GX GY GZ PUSH_CONSTANTS_HEX [BYTES:FILE|BYTES:]...
   A buffer with a file is filled from it. Each sample waits for a line on standard input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

#define CHECK(call)                                                        \
    do {                                                                   \
        VkResult result_ = (call);                                         \
        if (result_ != VK_SUCCESS) {                                       \
            fprintf(stderr, "%s: VkResult %d\n", #call, (int)result_);     \
            return 1;                                                      \
        }                                                                  \
    } while (0)

static char* read_all(const char* path, size_t* size) {
    FILE* file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char* data = malloc(*size + 4);
    if (fread(data, 1, *size, file) != *size) { perror(path); exit(1); }
    fclose(file);
    return data;
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
    if (argc < 10) { fprintf(stderr, "too few arguments\n"); return 2; }
    const char* wanted = argv[1];
    int runs = atoi(argv[4]), samples = atoi(argv[5]), num_buffers = argc - 10;
    VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
    VkInstance instance;
    CHECK(vkCreateInstance(&instance_info, NULL, &instance));
    VkPhysicalDevice found[16], physical = VK_NULL_HANDLE;
    uint32_t count = 16;
    vkEnumeratePhysicalDevices(instance, &count, found);
    VkPhysicalDeviceProperties properties;
    for (uint32_t i = 0; i < count && !physical; i++) {
        vkGetPhysicalDeviceProperties(found[i], &properties);
        if (!strcmp(properties.deviceName, wanted)) physical = found[i];
    }
    if (!physical) { fprintf(stderr, "no device %s\n", wanted); return 2; }

    /* Everything the device has: this program need not know what the kernel asks for. */
    VkPhysicalDeviceVulkan13Features f13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features f12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &f13};
    VkPhysicalDeviceVulkan11Features f11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &f12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &f11};
    vkGetPhysicalDeviceFeatures2(physical, &features);
    /* But not its checks of every access, which the other program does not ask for either. */
    features.features.robustBufferAccess = VK_FALSE;
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue_info};
    VkDevice device;
    CHECK(vkCreateDevice(physical, &device_info, NULL, &device));
    VkQueue queue;
    vkGetDeviceQueue(device, 0, 0, &queue);

    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    VkDescriptorSetLayoutBinding bindings[16];
    VkDescriptorBufferInfo infos[16];
    for (int i = 0; i < num_buffers; i++) {
        char* text = argv[10 + i];
        char* file = strchr(text, ':') + 1;
        VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = strtoull(text, NULL, 10), .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
        VkBuffer buffer;
        CHECK(vkCreateBuffer(device, &buffer_info, NULL, &buffer));
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(device, buffer, &needs);
        uint32_t type = 0;
        VkMemoryPropertyFlags flags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        while (type < memory.memoryTypeCount && (!(needs.memoryTypeBits >> type & 1) || (memory.memoryTypes[type].propertyFlags & flags) != flags)) type++;
        if (type == memory.memoryTypeCount) { fprintf(stderr, "no unified memory\n"); return 3; }
        VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
        VkDeviceMemory block;
        CHECK(vkAllocateMemory(device, &allocate, NULL, &block));
        CHECK(vkBindBufferMemory(device, buffer, block, 0));
        void* seen;
        CHECK(vkMapMemory(device, block, 0, VK_WHOLE_SIZE, 0, &seen));
        memset(seen, 255, buffer_info.size);
        if (*file) {
            size_t size;
            char* data = read_all(file, &size);
            memcpy(seen, data, size);
            free(data);
        }
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = (uint32_t)i, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
        infos[i] = (VkDescriptorBufferInfo){buffer, 0, VK_WHOLE_SIZE};
    }

    VkDescriptorSetLayoutCreateInfo set_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = (uint32_t)num_buffers, .pBindings = bindings};
    VkDescriptorSetLayout set_layout;
    CHECK(vkCreateDescriptorSetLayout(device, &set_info, NULL, &set_layout));
    unsigned char constants[256];
    uint32_t num_constants = (uint32_t)strlen(argv[9]) / 2;
    for (uint32_t i = 0; i < num_constants; i++) sscanf(argv[9] + 2 * i, "%2hhx", constants + i);
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, num_constants};
    VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout, .pushConstantRangeCount = num_constants ? 1 : 0, .pPushConstantRanges = &range};
    VkPipelineLayout layout;
    CHECK(vkCreatePipelineLayout(device, &layout_info, NULL, &layout));
    size_t code_size;
    char* code = read_all(argv[2], &code_size);
    VkShaderModuleCreateInfo module_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = code_size, .pCode = (uint32_t*)code};
    VkShaderModule module;
    CHECK(vkCreateShaderModule(device, &module_info, NULL, &module));
    VkComputePipelineCreateInfo pipeline_info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout, .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = argv[3]}};
    VkPipeline pipeline;
    CHECK(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline));

    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, (uint32_t)num_buffers};
    VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
    VkDescriptorPool pool;
    CHECK(vkCreateDescriptorPool(device, &pool_info, NULL, &pool));
    VkDescriptorSetAllocateInfo set_allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &set_layout};
    VkDescriptorSet set;
    CHECK(vkAllocateDescriptorSets(device, &set_allocate, &set));
    for (int i = 0; i < num_buffers; i++) {
        VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .dstBinding = (uint32_t)i, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &infos[i]};
        vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
    }

    VkQueryPoolCreateInfo query_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
    VkQueryPool queries;
    CHECK(vkCreateQueryPool(device, &query_info, NULL, &queries));
    VkCommandPoolCreateInfo command_pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool command_pool;
    CHECK(vkCreateCommandPool(device, &command_pool_info, NULL, &command_pool));
    VkCommandBufferAllocateInfo command_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = command_pool, .commandBufferCount = 1};
    VkCommandBuffer commands;
    CHECK(vkAllocateCommandBuffers(device, &command_info, &commands));
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin));
    vkCmdResetQueryPool(commands, queries, 0, 2);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    if (num_constants) vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, num_constants, constants);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT, .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    for (int i = 0; i < runs; i++) {
        if (i) vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
        vkCmdDispatch(commands, (uint32_t)atoi(argv[6]), (uint32_t)atoi(argv[7]), (uint32_t)atoi(argv[8]));
    }
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
    CHECK(vkEndCommandBuffer(commands));

    VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    for (int i = -2; i < samples; i++) {
        if (i >= 0 && getchar() == EOF) return 0;
        double cpu = cpu_seconds();
        CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
        CHECK(vkQueueWaitIdle(queue));
        cpu = cpu_seconds() - cpu;
        uint64_t ticks[2];
        CHECK(vkGetQueryPoolResults(device, queries, 0, 2, sizeof ticks, ticks, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
        if (i >= 0) printf("%.9e %.9e\n", (double)(ticks[1] - ticks[0]) * properties.limits.timestampPeriod * 1e-9 / runs, cpu / runs);
        fflush(stdout);
    }
    return 0;
}
