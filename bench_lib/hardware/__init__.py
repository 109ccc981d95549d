"""What a device is (one TOML file a model) and what this machine has."""

from bench_lib.hardware.catalog import all_hardware, find, load_device
from bench_lib.hardware.detect import Cpu, Machine, detect, detect_cpu

__all__ = ["Cpu", "Machine", "all_hardware", "detect", "detect_cpu", "find", "load_device"]
