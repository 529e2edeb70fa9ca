#!/usr/bin/env python3
"""Runs the fuzz targets (docs/testing.md): seeds from the case files of the source tree, a dictionary from its tables of keys.

    run_fuzzers.py BIN [NAME ...] [--seconds N] [--jobs N] [--processes N] [--work FOLDER] [--seeds-only]

BIN: the folder of the programs (build/fuzz/bin). Each target runs for --seconds (default 60), --jobs of them at once (default:
one per core), each in --processes processes (default 1; with more, a process that dies is replaced and the target goes on).
FOLDER (default: a temporary one) keeps the corpora, from which the next call goes on, the logs and, in findings/, the inputs
that failed. Prints executions and coverage, edges and features as libFuzzer counts them in one process (with --processes its
corpora are run once more for that, which takes a while after long runs); exit status 1 with findings.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST = {"expression": 4096, "case": 8192, "override": 512, "result_bytes": 1 << 16, "result_content": 1 << 10}


def case_texts():
    texts = [path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("inputs/*.yaml"))]
    samples = (ROOT / "tests/case/sample_cases.hpp").read_text(encoding="utf-8")
    return texts + re.findall(r'R"yaml\((.*?)\)yaml"', samples, re.S)


def expressions():
    for text in case_texts():
        for quoted in re.findall(r'"([^"\n]+)"', text):
            yield quoted
            if "=" in quoted:
                yield from (side.strip() for side in re.split(r"(?<![a-z(])=(?![^(]*\))", quoted))


def overrides():
    """The lines of block maps as arguments of --set."""
    for text in case_texts():
        parents = []
        for line in text.splitlines():
            match = re.match(r"( *)([\w()\"]+):\s*([^#]*)", line)
            if not match:
                continue
            depth, key, value = len(match[1]), match[2].strip('"'), match[3].strip()
            parents = [(d, name) for d, name in parents if d < depth] + [(depth, key)]
            if value:
                yield ".".join(name for _, name in parents) + "=" + value


def dictionary():
    """Words of the case file and of the language, and what stands between them."""
    words = set("= == ** [ ] { } : , ( ) - + 1e300 1e-300 0 -1 nan .inf pi dx( dt( lap( integral( grad( div( curl( dot( cross( re( im( conj( arg( i* ^i [1, (x=0) & * << !!".split())
    files = [*ROOT.glob("src/case/*_keys.cpp"), *ROOT.glob("problems/*/*_section.cpp"),
             *(ROOT / name for name in ("src/case/declared_equations.cpp", "src/case/choices.hpp", "src/expression/functions.cpp"))]
    for path in files:
        for text in re.findall(r'"([A-Za-z_.]+)"', path.read_text(encoding="utf-8")):
            words.update(text.split("."))
    return "".join(f'"{word}"\n' for word in sorted(words) if word)


def write_seeds(name, binaries, folder):
    folder.mkdir(parents=True, exist_ok=True)
    if name == "result_bytes":
        subprocess.run([binaries / "write_seeds", folder], check=True)
        return
    noise = random.Random(1)
    seeds = {"expression": lambda: (text.encode() for text in expressions()),
             "case": lambda: (text.encode() for text in case_texts()),
             "override": lambda: (text.encode() for text in overrides()),
             "result_content": lambda: (noise.randbytes(64) for _ in range(200))}[name]()
    for number, seed in enumerate(sorted(set(seeds))):
        (folder / f"seed_{number}").write_bytes(seed)


def limits_of(name, work):
    """As libFuzzer reads them."""
    return [f"-max_len={LONGEST[name]}", "-timeout=60", "-rss_limit_mb=4096", f"-artifact_prefix={work}/findings/{name}-"]


def options_of(name, work, arguments):
    options = [*limits_of(name, work), f"-max_total_time={arguments.seconds}", f"-dict={work}/words.dict",
               "-print_final_stats=1"]
    if arguments.processes > 1:
        options += [f"-fork={arguments.processes}", "-ignore_crashes=1"]
    return options


def environment_of(name, work):
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TMPDIR": str(work / name),
            "ASAN_OPTIONS": "allocator_may_return_null=1:" + os.environ.get("ASAN_OPTIONS", ""),
            "LSAN_OPTIONS": f"suppressions={ROOT}/tests/hard_input/lost_by_hdf5.txt:print_suppressions=0"}


def executions_in(text):
    """One process counts at its end; of several, each line has the sum so far."""
    counts = re.findall(r"stat::number_of_executed_units: +(\d+)", text) or re.findall(r"^#(\d+)", text, re.M)
    return int(counts[-1]) if counts else 0


def once_more(name, work, arguments):
    """Seeds and corpus in one process: of several, libFuzzer adds up edges that more than one of them has met."""
    done = subprocess.run([arguments.binaries / f"{name}_fuzzer", work / name / "corpus", work / name / "seeds", "-runs=0",
                           *limits_of(name, work)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment_of(name, work))
    return done.returncode, done.stdout.decode("utf-8", errors="replace")


def fuzz(name, work, arguments):
    corpus, seeds, findings = work / name / "corpus", work / name / "seeds", work / "findings"
    corpus.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    log = work / name / "log.txt"
    with open(log, "w", encoding="utf-8") as output:
        status = subprocess.run([arguments.binaries / f"{name}_fuzzer", corpus, seeds, *options_of(name, work, arguments)],
                                stdout=output, stderr=subprocess.STDOUT, env=environment_of(name, work)).returncode
    text = log.read_text(encoding="utf-8", errors="replace")
    executions = executions_in(text)
    if status == 0 and arguments.processes > 1:
        status, text = once_more(name, work, arguments)
    covered = re.findall(r" cov: (\d+) ft: (\d+)", text)
    counters = re.search(r"\((\d+) inline 8-bit counters\)", text)
    edges, features = map(int, covered[-1]) if covered else (0, 0)
    left = sorted(path for path in set(findings.iterdir()) - before if path.name.startswith(f"{name}-"))
    # The process that tries a file before the reader meets it (output/probe.hpp) leaves its input too when it dies, as
    # it is there to do: what counts is an end of the target itself, then or when the input is run alone.
    failing = [path.name for path in left if fails_alone(name, path, work, arguments)]
    return {"name": name, "status": status, "executions": executions, "edges": edges, "features": features,
            "of": int(counters[1]) if counters else 0, "corpus": sum(1 for _ in corpus.iterdir()), "end": text[-4000:],
            "findings": failing}


def fails_alone(name, path, work, arguments):
    return subprocess.run([arguments.binaries / f"{name}_fuzzer", path], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, env=environment_of(name, work)).returncode != 0


def prepare(names, work, arguments):
    (work / "findings").mkdir(parents=True, exist_ok=True)
    (work / "words.dict").write_text(dictionary(), encoding="utf-8")
    for name in names:
        write_seeds(name, arguments.binaries, work / name / "seeds")


def run_all(names, work, arguments):
    """True if a target failed."""
    failed = False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for result in pool.map(lambda name: fuzz(name, work, arguments), names):
            print(f"{result['name']:15} {result['executions']:>9} executions, {result['edges']} of {result['of']} edges, "
                  f"{result['features']} features, corpus {result['corpus']}, findings {len(result['findings'])}", flush=True)
            if result["status"] != 0 or result["executions"] == 0 or result["findings"]:
                failed = True
                print(f"FAILED with exit status {result['status']}: {', '.join(result['findings'])}\n{result['end']}",
                      flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("binaries", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--seeds-only", action="store_true")
    arguments = parser.parse_intermixed_args()
    names = arguments.names or list(LONGEST)
    if unknown := set(names) - set(LONGEST):
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as temporary:
        work = (arguments.work or pathlib.Path(temporary)).resolve()
        prepare(names, work, arguments)
        failed = not arguments.seeds_only and run_all(names, work, arguments)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
