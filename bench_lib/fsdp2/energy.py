"""Energy that one rank's GPU takes, by NVML's counter; unknown, with a reason, anywhere else.

**Source**: NVML, ``nvmlDeviceGetTotalEnergyConsumption``: millijoules since the driver was loaded, of the
whole board, from Volta on.
"""

from __future__ import annotations

from typing import Any

import torch


class EnergyCounter:
    """Joules between :meth:`start` and :meth:`stop`; ``reason`` says why there are none."""

    def __init__(self, device: torch.device) -> None:
        self.reason = ""
        self._nvml: Any = None
        self._start = 0.0
        if device.type != "cuda":
            self.reason = "a CPU has no energy counter that NVML reads"
            return
        try:
            import pynvml
        except ImportError:
            self.reason = "nvidia-ml-py is not installed: pip install 'bench-lib[nvml]'"
            return
        try:
            pynvml.nvmlInit()
            # By UUID: CUDA_VISIBLE_DEVICES renumbers torch's devices, not NVML's.
            uuid = f"GPU-{torch.cuda.get_device_properties(device).uuid}"
            self._handle = pynvml.nvmlDeviceGetHandleByUUID(uuid)
            self._nvml = pynvml
            self._read_j()
        except pynvml.NVMLError as error:
            self._nvml, self.reason = None, f"NVML: {error}"

    def _read_j(self) -> float:
        return float(self._nvml.nvmlDeviceGetTotalEnergyConsumption(self._handle)) / 1e3

    def start(self) -> None:
        """Begin to count."""
        if self._nvml is not None:
            self._start = self._read_j()

    def stop(self) -> float | None:
        """Joules since :meth:`start`; ``None`` where unknown."""
        return None if self._nvml is None else self._read_j() - self._start
