"""Writes a made-up Common Crawl release of hosts: FOLDER/cc-made-host-vertices.txt.gz and
FOLDER/cc-made-host-edges/part-*.txt.gz, in the layout of the real ones.

    python generate.py FOLDER --hosts 10000000

Vertices are lines `number TAB reversed name`, in the order of names; edges are lines
`number TAB number`, sorted. Hosts belong to domains, whose sizes follow a power law. Outdegrees
follow a power law; a third of the hosts have none. 40% of arcs stay close (hosts of a domain
are neighbours in the order of names), the others go to hosts drawn by a power law, so that some
hosts have a million predecessors. Equal arguments give equal files.

Needs numpy and polars.
"""

import argparse
import gzip
import pathlib
import shutil

import numpy
import polars

SYLLABLES = [c + v for c in "bcdfghjklmnprstvwz" for v in "aeiou"]
TOP_LEVEL = ["com", "org", "net", "de", "uk.co", "ru", "fr", "it", "jp.co", "br.com", "io", "edu"]
PARTS = 8


def word(number):
    """A pronounceable word for each number, another one for another number."""
    letters = []
    for _ in range(2):
        letters.append(SYLLABLES[number % len(SYLLABLES)])
        number //= len(SYLLABLES)
    while number:
        letters.append(SYLLABLES[number % len(SYLLABLES)])
        number //= len(SYLLABLES)
    return "".join(letters)


def names(hosts, random):
    """The reversed names of the hosts, in order."""
    sizes = numpy.minimum(random.zipf(1.8, hosts), 20_000)
    domains = int(numpy.searchsorted(numpy.cumsum(sizes), hosts)) + 1
    sizes = sizes[:domains]
    top = random.choice(len(TOP_LEVEL), domains, p=weights(len(TOP_LEVEL), 1.2))
    made = []
    for domain, size in enumerate(sizes.tolist()):
        base = f"{TOP_LEVEL[top[domain]]}.{word(domain)}"
        made.append(base)
        made.extend(f"{base}.{'www' if k == 0 else word(k)}" for k in range(size - 1))
        if len(made) >= hosts:
            break
    made = sorted(made[:hosts])
    assert len(made) == hosts and all(a != b for a, b in zip(made, made[1:]))
    return made


def weights(count, exponent):
    raw = 1.0 / numpy.arange(1, count + 1) ** exponent
    return raw / raw.sum()


def arcs(hosts, random):
    """Sources and targets, sorted, each arc once."""
    degrees = numpy.minimum(random.zipf(1.7, hosts), 3_000)
    degrees[random.random(hosts) < 1 / 3] = 0
    sources = numpy.repeat(numpy.arange(hosts, dtype=numpy.int64), degrees)
    count = len(sources)
    near = sources + random.geometric(0.02, count) * random.choice([-1, 1], count)
    # Popularity falls with a shuffled position: the popular are anywhere in the order of names.
    shuffled = random.permutation(hosts)
    far = shuffled[(hosts * random.random(count) ** 4).astype(numpy.int64)]
    targets = numpy.where(random.random(count) < 0.4, near, far)
    within = (targets >= 0) & (targets < hosts) & (targets != sources)
    keys = numpy.unique(sources[within] * hosts + targets[within])
    return keys // hosts, keys % hosts


def compress(path):
    """Replaces a file by its gzip, and keeps nothing else."""
    with path.open("rb") as plain, gzip.open(f"{path}.gz", "wb", compresslevel=1) as packed:
        shutil.copyfileobj(plain, packed, 1 << 20)
    path.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--hosts", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = numpy.random.default_rng(options.seed)
    edges = options.folder / "cc-made-host-edges"
    edges.mkdir(parents=True, exist_ok=True)
    vertices = options.folder / "cc-made-host-vertices.txt"
    table = polars.DataFrame({"name": names(options.hosts, random)}).with_row_index()
    table.write_csv(vertices, separator="\t", include_header=False)
    compress(vertices)
    sources, targets = arcs(options.hosts, random)
    table = polars.DataFrame({"source": sources, "target": targets})
    rows = -(-len(table) // PARTS)
    for part in range(PARTS):
        path = edges / f"part-{part:05}.txt"
        table[part * rows : (part + 1) * rows].write_csv(path, separator="\t", include_header=False)
        compress(path)
    print(f"{options.hosts} hosts, {len(sources)} arcs")


if __name__ == "__main__":
    main()
