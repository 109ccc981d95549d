"""FSDP2: step time, memory and loss of `fully_shard` models on real ranks.

Nothing here imports torch until a group is launched: the process that asks for a measurement
stays light, and never holds CUDA or process-group state.
"""
