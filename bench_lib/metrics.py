"""Every metric that bench_lib stores or shows, one entry each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from bench_lib.errors import UsageError
from bench_lib.units import Unit

Better = Literal["lower", "higher", "neither"]


@dataclass(frozen=True)
class Metric:
    """A measured or derived quantity.

    Parameters
    ----------
    name
        Identifier, as in records and JSON.
    unit
        SI unit of every stored value.
    better
        Which direction is an improvement. asv calls each step up a regression, so only metrics
        where ``lower`` is better are handed to asv; the others are derived when shown.
    title
        Heading for a reader, without the unit.
    description
        What is measured, and what is left out.
    """

    name: str
    unit: Unit
    better: Better
    title: str
    description: str


_OWNER_METRICS: Final = tuple(
    Metric(
        f"peak_{owner}",
        "B",
        "lower",
        title,
        f"{what} at the moment of a rank's peak of allocated memory.",
    )
    for owner, title, what in (
        ("sharded_parameters", "Sharded parameters", "This rank's shards of the parameters"),
        ("optimizer_state", "Optimizer state", "AdamW's moments, and temporaries of its step,"),
        ("sharded_gradients", "Sharded gradients", "This rank's shards of the gradients"),
        ("unsharded_parameters", "Gathered parameters", "Parameters as they are computed with"),
        ("unsharded_gradients", "Unreduced gradients", "Gradients before they are reduced"),
        ("activations", "Activations", "What the forward pass made and the backward pass needs"),
        ("temporaries", "Temporaries", "Gradients of activations, and what operators hold for a moment,"),
        ("communication", "Communication buffers", "Inputs and outputs of collectives"),
        ("inputs", "Inputs", "Tokens and buffers"),
    )
)

METRICS: Final[dict[str, Metric]] = {
    m.name: m
    for m in (
        Metric(
            "step_time",
            "s",
            "lower",
            "Step time",
            "Wall time of one training step: zero gradients, forward, loss, backward, optimizer. "
            "For a group of ranks, the slowest rank of each step. Launch, model construction, "
            "warm-up steps and data generation are left out.",
        ),
        Metric(
            "cpu_time",
            "s",
            "lower",
            "CPU time",
            "Processor time (user and system, all threads) that one rank's process spent on a "
            "step. On a shared machine it tells a slow step from a step that waited for a core.",
        ),
        Metric(
            "peak_allocated",
            "B",
            "lower",
            "Peak allocated",
            "Largest total size of live tensors that the allocator handed out. On CUDA, the caching "
            "allocator's `max_memory_allocated`, over the timed steps. On CPU, torch's CPU allocator "
            "as PyTorch's profiler reports it, over two untimed steps after them (the smaller peak "
            "counts). It includes the tokens of all steps, which are made beforehand.",
        ),
        Metric(
            "peak_reserved",
            "B",
            "lower",
            "Peak reserved",
            "Largest total size of memory segments that CUDA's caching allocator held "
            "(`max_memory_reserved`). It includes fragmentation. There is none on CPU.",
        ),
        Metric(
            "peak_rss",
            "B",
            "lower",
            "Peak resident set",
            "Largest resident set of a rank's process over the timed steps, or of a model's since its start. "
            "It holds the interpreter and its libraries, about 300 MiB with torch, beside the tensors.",
        ),
        *_OWNER_METRICS,
        Metric(
            "loss",
            "1",
            "neither",
            "Loss",
            "Training loss of each step, averaged over ranks; it shows that the ranks train the "
            "same model, not that the model is good.",
        ),
        Metric(
            "tokens_per_s",
            "token/s",
            "higher",
            "Tokens per second",
            "Tokens of all ranks in a step over the step time. Derived; never stored.",
        ),
        Metric(
            "scaling_efficiency",
            "1",
            "higher",
            "Scaling efficiency",
            "Step time of 1 rank over step time of N ranks, at the same batch a rank (weak scaling). "
            "1 is perfect. Derived; never stored.",
        ),
        Metric(
            "kernel_duration",
            "s",
            "lower",
            "Kernel duration",
            "Time on the device of one kernel launch under the profiler, `gpu__time_duration.sum`, at the "
            "profiled clocks. Launch overhead and host time are left out.",
        ),
        Metric(
            "time_over_roof",
            "1",
            "lower",
            "Time over roof",
            "A kernel's duration over the least time that the roofs at the profiled clocks allow for its "
            "bytes and FLOP. 1 is on the roof.",
        ),
        Metric(
            "time_in_class",
            "s",
            "lower",
            "Time in class",
            "Sum of the durations of all launches in a folder of reports that have one label.",
        ),
        Metric(
            "share_of_time",
            "1",
            "neither",
            "Share of time",
            "Time in class over the time of all launches in the folder.",
        ),
        Metric(
            "prefill_tokens_per_s",
            "token/s",
            "higher",
            "Prefill rate",
            "Tokens of a prompt over the time that a model takes to process it, without tokenizing.",
        ),
        Metric(
            "decode_tokens_per_s",
            "token/s",
            "higher",
            "Decode rate",
            "Tokens generated one after another over the time that took, without sampling.",
        ),
        Metric(
            "mixed_tokens_per_s",
            "token/s",
            "higher",
            "Prompt and generation rate",
            "Tokens of a prompt and of the text generated after it over the time of both.",
        ),
        Metric(
            "run_time",
            "s",
            "lower",
            "Time of a run",
            "Time of one iteration of another tool's benchmark, by that tool's clock.",
        ),
        Metric(
            "run_cpu_time",
            "s",
            "lower",
            "CPU time of a run",
            "Processor time of one iteration of another tool's benchmark, as it counts it.",
        ),
        Metric(
            "launch_latency",
            "s",
            "lower",
            "Launch latency",
            "Time between asking a device for a kernel and its start or end, as another tool measures it.",
        ),
        Metric(
            "flop_per_s",
            "FLOP/s",
            "higher",
            "Floating-point rate",
            "Floating-point operations a second of another tool's benchmark, by that tool's count.",
        ),
        Metric(
            "op_per_s",
            "OP/s",
            "higher",
            "Integer rate",
            "Integer operations a second of another tool's benchmark, by that tool's count.",
        ),
        Metric(
            "bytes_per_s",
            "B/s",
            "higher",
            "Bandwidth",
            "Bytes moved a second in another tool's benchmark, by that tool's count.",
        ),
        Metric(
            "items_per_s",
            "1/s",
            "higher",
            "Item rate",
            "Items a second of another tool's benchmark: what it counts, such as texels.",
        ),
        Metric(
            "dispatch_time",
            "s",
            "lower",
            "Dispatch time, warm",
            "Time on the device of one run of a kernel whose buffers the run before has just used: runs "
            "that follow each other in one submission, between two timestamps, over their number. Where "
            "the device's clock tells nothing, the host's; the record names the clock.",
        ),
        Metric(
            "dispatch_time_cold",
            "s",
            "lower",
            "Dispatch time, cold",
            "As the warm one, going round more sets of buffers than the last-level cache holds twice.",
        ),
        Metric(
            "dispatch_cpu_time",
            "s",
            "lower",
            "CPU time of a dispatch",
            "Processor time of the measuring process (all threads) for one warm run: on a software device "
            "the work itself, on a GPU what the driver spends.",
        ),
        Metric(
            "submit_to_start",
            "s",
            "lower",
            "Submit to start",
            "From just before a submission of one run until the device begins it. Known where the driver "
            "relates its clock to the host's.",
        ),
        Metric(
            "round_trip",
            "s",
            "lower",
            "Round trip",
            "From just before a submission of one run until the host knows that it ended.",
        ),
        Metric(
            "pipeline_creation",
            "s",
            "lower",
            "Pipeline creation, cold",
            "Shader module and pipeline of a kernel on a device opened for each sample, with no pipeline "
            "cache of ours and the driver's cache on disk off. Drivers may leave part of the work to the "
            "first run.",
        ),
        Metric(
            "first_run",
            "s",
            "lower",
            "First run",
            "Round trip of a kernel's first submission in a process; what a driver compiles or maps late "
            "is in it.",
        ),
        Metric(
            "transfer_time",
            "s",
            "lower",
            "Transfer time",
            "From bytes in the host's memory until a submission may use them: by a write into mapped "
            "memory, by importing the host's pages, or by a staged copy with the wait for its end.",
        ),
        Metric(
            "transfer_and_read_time",
            "s",
            "lower",
            "Transfer and first read",
            "As the transfer time, and a submission in which the device copies all bytes into memory of "
            "its own: where memory is not unified, every mode then pays for the bus.",
        ),
        Metric(
            "time_per_giga",
            "s",
            "lower",
            "Time a GB or GFLOP",
            "Time of a copy over its gigabytes (read and written), or of a matrix product over its GFLOP: "
            "the inverse of a device's roof.",
        ),
        Metric(
            "share_of_roof",
            "1",
            "higher",
            "Share of roof",
            "Least time that the device's measured copy bandwidth and matrix peak allow, over the time "
            "measured. Derived; never stored.",
        ),
        Metric(
            "model_load_time",
            "s",
            "lower",
            "Model load time",
            "From an artefact on disk to a model that can run, in a process that has imported its framework.",
        ),
        Metric(
            "first_inference_time",
            "s",
            "lower",
            "First inference",
            "The first inference after loading, with drivers' shader caches empty: pipelines are compiled in "
            "it. For a decoder, the prompt and the tokens after it.",
        ),
        Metric(
            "inference_latency",
            "s",
            "lower",
            "Latency",
            "One forward of a model, from input to output in the host's memory, warm.",
        ),
        Metric(
            "prefill_time",
            "s",
            "lower",
            "Prefill time",
            "A prompt through a decoder with an empty cache, until its last logits are in the host's memory.",
        ),
        Metric(
            "time_to_first_token",
            "s",
            "lower",
            "Time to first token",
            "Prefill and the choice of the most likely token.",
        ),
        Metric(
            "decode_time",
            "s",
            "lower",
            "Decode time a token",
            "One token through a decoder and the choice of the next, mean over the tokens of one generation.",
        ),
        *(
            Metric(
                f"{name}_cpu",
                "s",
                "lower",
                f"{title}, CPU",
                f"Processor time of the model's process, all threads, over the same interval as {name}. On a "
                "shared machine it tells slow from waiting.",
            )
            for name, title in (
                ("inference_latency", "Latency"),
                ("prefill_time", "Prefill time"),
                ("decode_time", "Decode time a token"),
            )
        ),
        Metric(
            "output_error",
            "1",
            "lower",
            "Output error",
            "Euclidean norm of the difference from the float64 reference over the reference's norm; the "
            "largest of all outputs compared.",
        ),
        Metric(
            "artefact_size",
            "B",
            "lower",
            "Artefact size",
            "Bytes that a framework loads a model from.",
        ),
    )
}


def metric(name: str) -> Metric:
    """Look up a metric by name.

    Raises
    ------
    UsageError
        No metric has that name; the message lists those that exist.
    """
    try:
        return METRICS[name]
    except KeyError:
        raise UsageError.of("metric", found=name, expected="one of " + ", ".join(METRICS)) from None
