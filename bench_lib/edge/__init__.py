"""Edge: kernels and small models on Vulkan, Metal and the frameworks people ship."""
