"""An Android device over ``adb``: what it is, how warm it is, and running a program on it.

**Source**: ``adb`` and ``dumpsys`` of Android 10 to 16; thermal states:
``android.os.PowerManager.THERMAL_STATUS_*``.
"""

from __future__ import annotations

import re
import secrets
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from bench_lib.errors import DeviceError, UnavailableError, UsageError

THERMAL_STATES: Final = ("none", "light", "moderate", "severe", "critical", "emergency", "shutdown")
_ROOT: Final = PurePosixPath("/data/local/tmp")
_SHORT_S: Final = 60
_EXIT = re.compile(r"bench-lib exit (\d+)\s*$")
_STATUS = re.compile(r"^\s*Thermal Status:\s*(\d+)", re.MULTILINE)
_TEMPERATURE = re.compile(
    r"Temperature\{mValue=(?P<value>-?[\d.]+), mType=(?P<type>\d+), mName=(?P<name>[^,}]+)"
)
_CURRENT = re.compile(r"Current temperatures from HAL:(?P<rows>.*?)(?:\n\S|Current cooling|\Z)", re.DOTALL)
#: ``mType`` of the temperature of the case, which throttling goes by.
_SKIN: Final = "3"


@dataclass(frozen=True)
class Phone:
    """What a device says of itself; no serial number, which names one person's phone."""

    model: str
    manufacturer: str
    soc: str
    android: str
    abi: str


@dataclass(frozen=True)
class Thermal:
    """How warm a device is.

    Parameters
    ----------
    state
        One of :data:`THERMAL_STATES`, or ``unknown``.
    skin_celsius
        Temperature of the case; ``None`` where it is not told.
    battery_celsius, battery_percent
        Of the battery; ``None`` where it is not told.
    on_power
        Whether it is charged meanwhile.
    """

    state: str
    skin_celsius: float | None
    battery_celsius: float | None
    battery_percent: int | None
    on_power: bool | None

    @property
    def level(self) -> int:
        """Place in :data:`THERMAL_STATES`; 0 where it is unknown."""
        return THERMAL_STATES.index(self.state) if self.state in THERMAL_STATES else 0


@dataclass(frozen=True)
class Outcome:
    """What a program left: its exit code and what it printed."""

    exit_code: int
    output: bytes
    errors: str


@dataclass(frozen=True)
class Adb:
    """One device. :func:`connect` makes it."""

    serial: str
    program: str = field(repr=False)

    def call(self, *arguments: str, timeout_s: float = _SHORT_S) -> str:
        """What ``adb`` prints for ``arguments``.

        Raises
        ------
        DeviceError
            ``adb-failed`` with what it said, or ``adb-hung``.
        """
        command = [self.program, "-s", self.serial, *arguments]
        what = f"adb {arguments[0]}"
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=timeout_s, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise DeviceError("adb-hung", f"{what} gave no answer in {timeout_s:g} s.") from error
        except OSError as error:
            raise DeviceError("adb-failed", f"{what}: {error.strerror or error}") from error
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
            raise DeviceError("adb-failed", f"{what}: exit code {done.returncode}: {said}")
        return done.stdout

    def shell(self, *words: str, timeout_s: float = _SHORT_S) -> str:
        """What a command prints on the device; each word arrives as it is."""
        return self.call("shell", shlex.join(words), timeout_s=timeout_s)

    def phone(self) -> Phone:
        """What the device says of itself."""

        def prop(*names: str) -> str:
            found = (self.shell("getprop", name).strip() for name in names)
            return next((value for value in found if value), "")

        return Phone(
            model=prop("ro.product.marketname", "ro.product.model"),
            manufacturer=prop("ro.product.manufacturer"),
            soc=prop("ro.soc.model", "ro.board.platform"),
            android=prop("ro.build.version.release"),
            abi=prop("ro.product.cpu.abi"),
        )

    def thermal(self) -> Thermal:
        """How warm the device is now; a service that does not answer leaves its part unknown."""
        return parse_thermal(self._dump("thermalservice"), self._dump("battery"))

    def _dump(self, service: str) -> str:
        try:
            return self.shell("dumpsys", service)
        except DeviceError as error:
            if error.code == "adb-hung":
                raise
            return ""

    def run(
        self,
        program: Path,
        *,
        arguments: Sequence[str],
        files: Sequence[Path] = (),
        cpu_mask: str = "",
        output: Path,
        timeout_s: float,
    ) -> Outcome:
        """Push ``program`` and ``files`` into a folder of their own, run it there, pull what it printed.

        Parameters
        ----------
        cpu_mask
            CPUs to run on, as ``taskset`` takes it (``f0`` is CPUs 4 to 7); empty leaves it to the system.
        output
            Where its standard output is put.

        Raises
        ------
        DeviceError
            ``adb-failed`` or ``adb-hung``, also where the program does not end within ``timeout_s``.
        """
        folder = str(_ROOT / f"bench-lib-{secrets.token_hex(6)}")
        self.shell("mkdir", "-p", folder)
        try:
            for path in (program, *files):
                self.call("push", str(path), f"{folder}/{path.name}", timeout_s=max(timeout_s, _SHORT_S))
            self.shell("chmod", "755", f"{folder}/{program.name}")
            pinned = ["taskset", cpu_mask] if cpu_mask else []
            command = shlex.join([*pinned, f"./{program.name}", *arguments])
            # The exit code is printed: old versions of adb do not hand it on.
            script = (
                f"cd {shlex.quote(folder)} && LD_LIBRARY_PATH=. {command} > stdout.txt 2> stderr.txt; "
                "echo bench-lib exit $?"
            )
            answer = self.call("shell", script, timeout_s=timeout_s)
            match = _EXIT.search(answer)
            if match is None:
                raise DeviceError(
                    "adb-failed", f"the shell did not end as it should: {answer.strip()[-200:]!r}"
                )
            self.call("pull", f"{folder}/stdout.txt", str(output))
            errors = self.shell("tail", "-n", "20", f"{folder}/stderr.txt")
            return Outcome(int(match[1]), output.read_bytes(), errors)
        finally:
            self._remove(folder)

    def _remove(self, folder: str) -> None:
        try:
            self.shell("rm", "-rf", folder)
        except DeviceError:
            # The device is gone; what made it go is already on its way to the caller.
            return


def connect(serial: str = "") -> Adb:
    """The device called ``serial``, or the only one.

    Raises
    ------
    UnavailableError
        ``no-adb``, ``no-device`` or ``unauthorized``.
    UsageError
        Several are connected and none was chosen, or the chosen one is not.
    """
    program = shutil.which("adb")
    if program is None:
        raise UnavailableError(
            "no-adb",
            "the program adb is not on PATH.",
            remedy="Install Android's platform tools, for example: apt-get install adb",
        )
    listing = Adb(serial="", program=program)
    try:
        done = subprocess.run(
            [program, "devices"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SHORT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UnavailableError("no-adb", f"{listing.program} devices gives no answer: {error}") from error
    rows = [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]
    states = {name: state.strip() for name, state, *_ in rows}
    if serial and serial not in states:
        raise UsageError.of(
            "--serial", found=serial, expected=f"one of: {', '.join(states) or 'none is connected'}"
        )
    if not serial and len(states) > 1:
        raise UsageError.of("devices", found=", ".join(states), expected="one", hint="Choose with --serial.")
    if not states:
        raise UnavailableError(
            "no-device",
            "adb lists no device.",
            remedy="Connect it, and switch on USB debugging in its developer options.",
        )
    chosen = serial or next(iter(states))
    if states[chosen] == "unauthorized":
        raise UnavailableError(
            "unauthorized",
            f"{chosen} does not trust this computer.",
            remedy="Confirm the question on its screen.",
        )
    if states[chosen] != "device":
        raise UnavailableError("no-device", f"{chosen} is {states[chosen]}.", remedy="Connect it anew.")
    return Adb(serial=chosen, program=program)


def parse_thermal(thermal: str, battery: str) -> Thermal:
    """What ``dumpsys thermalservice`` and ``dumpsys battery`` say; either may be empty."""
    status = _STATUS.search(thermal)
    number = int(status[1]) if status else -1
    current = _CURRENT.search(thermal)
    skin = [
        float(match["value"])
        for match in _TEMPERATURE.finditer(current["rows"] if current else thermal)
        if match["type"] == _SKIN
    ]
    pairs = dict(re.findall(r"^\s*([A-Za-z ]+): (\S+)\s*$", battery, re.MULTILINE))
    tenths, level = pairs.get("temperature", ""), pairs.get("level", "")
    powered = [
        pairs[key] == "true" for key in ("AC powered", "USB powered", "Wireless powered") if key in pairs
    ]
    return Thermal(
        state=THERMAL_STATES[number] if 0 <= number < len(THERMAL_STATES) else "unknown",
        skin_celsius=max(skin) if skin else None,
        battery_celsius=int(tenths) / 10 if re.fullmatch(r"-?\d+", tenths) else None,
        battery_percent=int(level) if level.isdecimal() else None,
        on_power=any(powered) if powered else None,
    )
