#!/usr/bin/env python3
"""The dependency graph of Debian bookworm, section main, amd64.

    python3 graphs/debian.py debian.tsv && rank import debian.tsv -o graphs/debian.bv --compact

A node is a binary package. An arc leads from a package to each package that its Depends,
Pre-Depends or Recommends names. Alternatives each count; versions and architectures are dropped. A
name that is no package leads to every package that provides it; a name that is both leads to the
package alone. Names that nothing provides are counted and dropped.

Writes lines 'source<TAB>target', and a line with the package alone for every package;
compressed if the name of the output ends in .gz. Needs apt-get, with bookworm among its sources.
"""
import gzip
import re
import subprocess
import sys

FIELDS = ("Depends", "Pre-Depends", "Recommends")


def paragraphs(text):
    """The fields of each package."""
    for paragraph in text.split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", paragraph, re.MULTILINE))
        if "Package" in fields:
            yield fields


def names(field):
    """The package names in a relation, without versions and architectures."""
    parts = re.split(r"[,|]", field)
    return [name for part in parts if (name := re.split(r"[ (:\[]", part.strip())[0])]


def create(output):
    """A text file to write, compressed if its name ends in .gz."""
    if output.endswith(".gz"):
        return gzip.open(output, "wt", encoding="utf-8")
    if output.endswith(".zst"):
        sys.exit(f"{output}: write plain text or .gz, or compress with zstd afterwards")
    return open(output, "w", encoding="utf-8")


def main(output):
    query = ["apt-get", "indextargets", "--format", "$(FILENAME)"]
    filters = ["Created-By: Packages", "Codename: bookworm", "Component: main", "Architecture: amd64"]
    listing = subprocess.run(query + filters, check=True, capture_output=True, text=True).stdout
    path = listing.split()[0]
    helper = ["/usr/lib/apt/apt-helper", "cat-file", path]
    text = subprocess.run(helper, check=True, capture_output=True).stdout.decode()
    packages = {fields["Package"]: fields for fields in paragraphs(text)}
    providers = {}
    for package, fields in packages.items():
        for name in names(fields.get("Provides", "")):
            providers.setdefault(name, set()).add(package)
    arcs = unknown = 0
    with create(output) as out:
        for package in sorted(packages):
            targets = set()
            for field in FIELDS:
                for name in names(packages[package].get(field, "")):
                    found = {name} if name in packages else providers.get(name, set())
                    unknown += not found
                    targets |= found
            out.write(f"{package}\n")
            out.writelines(f"{package}\t{to}\n" for to in sorted(targets))
            arcs += len(targets)
    print(f"{len(packages)} packages, {arcs} arcs, {unknown} names unknown", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
