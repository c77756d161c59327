# SPDX-License-Identifier: BSL-1.0
"""What the front page says of run() beside cuBLAS on the GPUs that its table does not have."""

from reporting import performance

SUITES = {"f32": "float", "bf16": "bf16", "f16": "half", "tf32": "tf32", "f64": "double", "i8": "int8", "e4m3": "fp8"}
IN_A_SENTENCE = 4  # which then has fewer than 25 words


def sentences(gpu, results_of):
    """The least and the greatest ratio of each suite, and which were not measured."""
    ranges = []
    for suite, words in SUITES.items():
        if suite in results_of:
            values = [value for _, value in performance.ratios(results_of[suite], performance.SUITES[suite][1])]
            ranges.append((words, f"{min(values):.2f} to {max(values):.2f}"))
    said = []
    for begin in range(0, len(ranges), IN_A_SENTENCE):
        (words, first), *others = ranges[begin:begin + IN_A_SENTENCE]
        opening = f"The least and the greatest on the {gpu}: {words}" if begin == 0 else f"{words.capitalize()} has"
        said.append(", ".join([f"{opening} {first}", *(" ".join(other) for other in others)]) + ".")
    absent = [words for suite, words in SUITES.items() if suite not in results_of]
    return " ".join(said + [f"Not measured there: {', '.join(absent)}."] * bool(absent))


def paragraph(gpus):
    """Of {name of the GPU: {suite: results}}, without the first, which has the table."""
    return "\n".join(sentences(gpu, results_of) for gpu, results_of in list(gpus.items())[1:])
