"""Benchmarks on a phone, against a program on PATH that behaves as adb does."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench_lib.cli import cli
from bench_lib.edge import adb, android
from bench_lib.errors import DeviceError, UnavailableError, UsageError
from bench_lib.results import records

THERMAL = """\
IsStatusOverride: false
ThermalEventListeners:
Thermal Status: {status}
Cached temperatures:
	Temperature{{mValue=61.0, mType=3, mName=skin, mStatus=0}}
HAL Ready: true
Current temperatures from HAL:
	Temperature{{mValue=45.1, mType=0, mName=CPU0, mStatus=0}}
	Temperature{{mValue=31.5, mType=3, mName=VIRTUAL-SKIN, mStatus=0}}
Current cooling devices from HAL:
"""
BATTERY = """\
Current Battery Service state:
  AC powered: false
  USB powered: true
  level: 80
  temperature: 295
"""

#: Stands for adb: its state is a folder, commands of the device's shell run here with paths moved into it.
FAKE = """\
#!{python}
import json, os, pathlib, shutil, subprocess, sys
state = pathlib.Path({state!r})
settings = json.loads((state / "settings.json").read_text())
arguments = sys.argv[1:]
with (state / "calls.txt").open("a") as log:
    log.write(json.dumps(arguments) + "\\n")
if arguments == ["devices"]:
    print("List of devices attached")
    for name, status in settings["devices"].items():
        print(name + "\\t" + status)
    raise SystemExit
serial, arguments = arguments[1], arguments[2:]
def local(path):
    return str(state / "phone") + path
if arguments[0] == settings.get("fails"):
    sys.exit("error: device '" + serial + "' not found")
if arguments[0] == "push":
    shutil.copy(arguments[1], local(arguments[2]))
elif arguments[0] == "pull":
    shutil.copy(local(arguments[1]), arguments[2])
elif arguments[0] == "shell":
    command = arguments[1]
    if command.startswith("getprop "):
        print(settings["props"].get(command.split()[1], ""))
    elif command == "dumpsys thermalservice":
        status = settings["thermal"].pop(0) if len(settings["thermal"]) > 1 else settings["thermal"][0]
        (state / "settings.json").write_text(json.dumps(settings))
        print({thermal!r}.format(status=status))
    elif command == "dumpsys battery":
        print({battery!r})
    else:
        command = command.replace("/data/local/tmp", local("/data/local/tmp"))
        sys.exit(subprocess.run(["sh", "-c", command]).returncode)
"""
PEAKS = "device       = Adreno (TM) 740\n\nfp32-scalar  = 1000.50 GFLOPS\nfp16-matrix  = 0.00 GFLOPS\n"


class FakePhone:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings: dict = {
            "devices": {"SERIAL1": "device"},
            "thermal": [0],
            "props": {
                "ro.product.model": "SM-S911B",
                "ro.product.manufacturer": "samsung",
                "ro.soc.model": "SM8550",
                "ro.build.version.release": "15",
                "ro.product.cpu.abi": "arm64-v8a",
            },
        }
        (folder / "phone/data/local/tmp").mkdir(parents=True)
        self.save()

    def save(self, **changes: object) -> None:
        self.settings.update(changes)
        (self.folder / "settings.json").write_text(json.dumps(self.settings))

    @property
    def calls(self) -> list[list[str]]:
        return [json.loads(line) for line in (self.folder / "calls.txt").read_text().splitlines()]

    @property
    def left_behind(self) -> list[Path]:
        return list((self.folder / "phone/data/local/tmp").iterdir())


def script(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePhone:
    state, programs = tmp_path / "state", tmp_path / "programs"
    state.mkdir()
    programs.mkdir()
    text = FAKE.format(python=sys.executable, state=str(state), thermal=THERMAL, battery=BATTERY)
    script(programs / "adb", text)
    script(programs / "taskset", '#!/bin/sh\necho "mask $1" >&2\nshift\nexec "$@"\n')
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return FakePhone(state)


@pytest.fixture
def vkpeak(tmp_path: Path) -> Path:
    body = "".join(f"echo '{line}'\n" for line in PEAKS.splitlines())
    return script(tmp_path / "vkpeak", f"#!/bin/sh\n{body}")


@pytest.fixture
def run(tmp_path: Path):
    def call(*arguments: str) -> object:
        rest = ["--hardware", "samsung-galaxy-s23", "--results", str(tmp_path / "results")]
        return CliRunner().invoke(cli, ["edge", "android", *rest, *arguments])

    return call


def test_a_benchmark_runs_pinned_and_its_output_becomes_records(
    tmp_path: Path, phone: FakePhone, vkpeak: Path, run
) -> None:
    model = tmp_path / "model with spaces.gguf"
    model.write_text("weights")
    done = run("--cpus", "f0", "--push", str(model), "--output", str(tmp_path / "kept.txt"), str(vkpeak), "0")
    assert done.exception is None, done.output
    (peak,) = [r for r in records.load(tmp_path / "results").runs if r.status == "ok"]
    assert (peak.hardware, peak.origin, peak.benchmark) == ("samsung-galaxy-s23", "imported", "vkpeak")
    assert peak.measurements[0].samples == (1000.5e9,)
    assert peak.environment.os == "Android 15"
    assert peak.details["phone"] == "samsung SM-S911B"
    assert peak.details["soc"] == "SM8550"
    assert (peak.details["thermal_before"], peak.details["thermal_after"]) == ("none", "none")
    assert (peak.details["skin_celsius_before"], peak.details["battery_celsius_before"]) == (31.5, 29.5)
    assert peak.details["on_power"] is True and peak.details["throttled"] is False
    assert "SERIAL1" not in records.to_json(peak)
    assert (tmp_path / "kept.txt").read_text() == PEAKS
    (command,) = [c[3] for c in phone.calls if c[2:3] == ["shell"] and "bench-lib exit" in c[3]]
    assert "taskset f0 ./vkpeak 0" in command
    assert phone.left_behind == []


def test_words_of_the_command_reach_the_program_whole(tmp_path: Path, phone: FakePhone, run) -> None:
    body = "".join(f"echo '{line}'\n" for line in PEAKS.splitlines())
    got = tmp_path / "got"
    program = script(tmp_path / "vkpeak", f'#!/bin/sh\nprintf %s "$1" > {got}\n{body}')
    done = run("--", str(program), "a b; 'c' $(x)")
    assert done.exception is None, done.exception
    assert got.read_text() == "a b; 'c' $(x)"


def test_a_phone_that_warms_up_is_marked(tmp_path: Path, phone: FakePhone, vkpeak: Path, run) -> None:
    phone.save(thermal=[0, 2])
    done = run(str(vkpeak))
    assert done.exception is None
    assert "warmer" in done.output
    assert all(r.details["throttled"] for r in records.load(tmp_path / "results").runs)


def test_a_warm_phone_is_refused(tmp_path: Path, phone: FakePhone, vkpeak: Path, run) -> None:
    phone.save(thermal=[3])
    assert "too-warm: the thermal state is severe" in str(run(str(vkpeak)).exception)
    assert not (tmp_path / "results").exists()


def test_cooling_down_is_waited_for(phone: FakePhone) -> None:
    phone.save(thermal=[2, 1, 0])
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    found = android.cooled(adb.connect(), wait_s=60, sleep=sleep, clock=lambda: now[0])
    assert (found.state, now[0]) == ("none", 10.0)
    phone.save(thermal=[1])
    with pytest.raises(DeviceError, match="too-warm"):
        android.cooled(adb.connect(), wait_s=12, sleep=sleep, clock=lambda: now[0])
    assert now[0] == 25.0


def test_a_program_that_fails_gives_its_reason_and_no_record(tmp_path: Path, phone: FakePhone, run) -> None:
    program = script(tmp_path / "vkpeak", "#!/bin/sh\necho half\necho 'no Vulkan driver' >&2\nexit 7\n")
    assert "exit code 7: no Vulkan driver" in str(run(str(program)).exception)
    assert not (tmp_path / "results").exists()
    assert phone.left_behind == []


def test_output_that_is_none_of_a_tool_gives_no_record(tmp_path: Path, phone: FakePhone, run) -> None:
    assert "hello" in str(run(str(script(tmp_path / "tool", "#!/bin/sh\necho hello\n"))).exception)
    assert not (tmp_path / "results").exists()


def test_a_phone_that_goes_away_is_one_error(tmp_path: Path, phone: FakePhone, vkpeak: Path, run) -> None:
    phone.save(fails="pull")
    assert "adb pull: exit code 1: error: device 'SERIAL1' not found" in str(run(str(vkpeak)).exception)


def test_a_program_that_never_ends_is_ended(tmp_path: Path, phone: FakePhone) -> None:
    program = script(tmp_path / "stuck", "#!/bin/sh\nread line < fifo\n")
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    stuck = script(tmp_path / "stuck", f"#!/bin/sh\nread line < {fifo}\n")
    assert program == stuck
    with pytest.raises(DeviceError, match="adb-hung"):
        adb.connect().run(stuck, arguments=[], output=tmp_path / "out.txt", timeout_s=0.5)


@pytest.mark.parametrize(
    ("devices", "serial", "error", "message"),
    [
        ({}, "", UnavailableError, "USB debugging"),
        ({"A": "unauthorized"}, "", UnavailableError, "Confirm"),
        ({"A": "offline"}, "", UnavailableError, "offline"),
        ({"A": "device", "B": "device"}, "", UsageError, "--serial"),
        ({"A": "device"}, "B", UsageError, "one of: A"),
    ],
)
def test_devices_that_cannot_be_used(
    phone: FakePhone, devices: dict[str, str], serial: str, error: type[Exception], message: str
) -> None:
    phone.save(devices=devices)
    with pytest.raises(error, match=message):
        adb.connect(serial)


def test_one_of_several_phones_is_chosen(phone: FakePhone) -> None:
    phone.save(devices={"A": "device", "B": "offline"})
    assert adb.connect("A").serial == "A"


def test_without_adb_the_way_to_get_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UnavailableError) as caught:
        adb.connect()
    assert caught.value.code == "no-adb"
    assert "platform tools" in caught.value.remedy


@pytest.mark.parametrize("mask", ["cores", "f0; rm -rf /", "-p"])
def test_a_mask_that_is_none_is_refused(phone: FakePhone, vkpeak: Path, run, mask: str) -> None:
    assert "--cpus" in str(run(f"--cpus={mask}", str(vkpeak)).exception)


def test_a_phone_that_tells_nothing_is_unknown() -> None:
    found = adb.parse_thermal("", "")
    assert (found.state, found.level, found.skin_celsius, found.battery_percent, found.on_power) == (
        "unknown",
        0,
        None,
        None,
        None,
    )


def test_temperatures_of_now_count_and_not_those_of_earlier() -> None:
    assert adb.parse_thermal(THERMAL.format(status=1), BATTERY) == adb.Thermal("light", 31.5, 29.5, 80, True)
