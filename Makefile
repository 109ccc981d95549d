# `make report` measures and builds the site; `make test` passes the tests. Both set everything up first.
# Needs Python 3.11 or newer with venv, git and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS := fsdp2,step-model,edge,kernel-build,ncu,asv-env,results,change-benchmark,docs,test,lint
STAMP := $(VENV)/setup-stamp
FRAMEWORKS_STAMP := $(VENV)/frameworks-stamp
# What `make report` measures: the tiny preset on 1, 2 and 4 ranks, and some kernels on the only Vulkan device.
# All of it: bench-lib run.
QUICK_MODELS := edge_models\.(Decoder\.track_decode_time|Block\.track_inference_latency)\('torch cpu f32'\)
QUICK_BENCH := TrainStep\..*\('tiny', [124]\)
QUICK_KERNELS := edge_kernels\.(Kernel\.track_dispatch_time\('(gemm|gemv|rmsnorm|saxpy|softmax) fp32'\)|Kernel\.track_dispatch_time\('null|Roof\.|Transfer\..*\('mapped', 4096\))

.DEFAULT_GOAL := help
.PHONY: help setup software-vulkan browser frameworks report site test lint check docs clean

help:
	@echo "make report   set up, measure, build the site (first run: some minutes)"
	@echo "make test     set up, run the tests (about 20 minutes on 2 CPUs)"
	@echo "make setup    only make $(VENV)"
	@echo "make frameworks   also install MLX, llama.cpp, ExecuTorch, IREE and ncnn (2 GB)"
	@echo "make lint | check | docs | site | clean"

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("found Python %d.%d, expected 3.11 or newer; say which to use: make PYTHON=python3.12" % sys.version_info[:2])'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "found no venv module for $(PYTHON), expected one; on Debian: apt-get install python3-venv" >&2; exit 2; }
	@echo "setup: making $(VENV) and installing bench-lib[$(EXTRAS)], which takes a minute or two"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[$(EXTRAS)]'
	@touch $@

# A Vulkan device for the edge family: Debian's software device, where this user may install one.
software-vulkan: $(STAMP)
	@if $(BIN)/python -m bench_lib.edge.vulkan_devices | grep -q '"name"'; then \
		echo "vulkan: a device is present"; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "vulkan: no device; installing Debian's software device"; \
		{ apt-get update -q -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -q -y --no-install-recommends libvulkan1 mesa-vulkan-drivers vulkan-validationlayers; } >/dev/null \
			|| echo "vulkan: skipped, the installation failed; the edge family will be skipped"; \
	else \
		echo "vulkan: skipped, no device and no right to install one; as root: apt-get install libvulkan1 mesa-vulkan-drivers"; \
	fi

# Chromium for the tests of the site, where this user may install it.
browser: $(STAMP)
	@if command -v chromium >/dev/null; then \
		echo "browser: chromium is present"; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "browser: installing Debian's chromium"; \
		{ apt-get update -q -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -q -y --no-install-recommends chromium; } >/dev/null \
			|| echo "browser: skipped, the installation failed; the tests in a browser will be skipped"; \
	else \
		echo "browser: skipped, no chromium and no right to install it; the tests in a browser will be skipped"; \
	fi

# The frameworks of the small models, beside torch: 2 GB more, so only when asked for.
frameworks: $(FRAMEWORKS_STAMP)

$(FRAMEWORKS_STAMP): $(STAMP)
	@echo "frameworks: installing bench-lib[edge-frameworks], which takes some minutes"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[$(EXTRAS),edge-frameworks]'
	@touch $@

report: setup software-vulkan
	@$(BIN)/bench-lib doctor
	@echo
	@echo "measuring: training steps of the tiny preset on 1, 2 and 4 ranks, edge kernels and a small model (about two minutes)"
	@$(BIN)/bench-lib run --reuse --bench "$(QUICK_BENCH)" --bench "$(QUICK_KERNELS)" --bench "$(QUICK_MODELS)"
	@echo
	@echo "figures: results/fsdp2.html, edge.html and edge-models.html of the site, or $(BIN)/bench-lib lookup (n/a above: not chosen for this short run, or skipped: results/runs.html)"
	@$(BIN)/bench-lib site

site: setup
	@$(BIN)/bench-lib site

test: setup software-vulkan browser
	@test -e $(FRAMEWORKS_STAMP) || echo "test: skips the frameworks of small models other than torch; make frameworks installs them"
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

check: setup
	@$(BIN)/asv check -E bench_lib_current

docs: setup
	@$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

clean:
	rm -rf $(VENV) .asv docs/_build docs/_generated build *.egg-info .mypy_cache .ruff_cache .pytest_cache
