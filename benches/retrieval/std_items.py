#!/usr/bin/env python3
"""Known items of the Rust documentation's own search index, as queries and judgements for `rank evaluate`.

    benches/retrieval/std_items.py HTML --base URL queries.tsv qrels.txt

HTML is the folder of the package rust-doc (Debian: /usr/share/doc/rust-doc/html). A query is the name of
an item of the crate std that has a page of its own; items whose name another item of std has, too,
are left out. The only relevant page is the page of that item.
"""

import argparse
import collections
import json
import pathlib
import re

# Kinds of items by their number in the index, and how the names of their pages start.
PAGES = {
    3: "struct", 4: "enum", 5: "fn", 6: "type", 7: "static", 8: "trait", 14: "macro", 15: "primitive",
    17: "constant", 19: "union", 21: "keyword", 23: "attr", 24: "derive",
}


def items(crate):
    """Path and name of each item that has a page."""
    path = ""
    paths = dict(crate["q"]) if crate["q"] and isinstance(crate["q"][0], list) else None
    for place, name in enumerate(crate["n"]):
        if paths is None:
            path = crate["q"][place] or path
        else:
            path = paths.get(place, path)
        kind = crate["t"][place]
        if crate["i"][place] == 0 and name:
            if kind == 0:
                yield name, f"{path}::{name}".replace("::", "/") + "/index.html"
            elif kind in PAGES:
                yield name, path.replace("::", "/") + f"/{PAGES[kind]}.{name}.html"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("html", type=pathlib.Path)
    parser.add_argument("--base", default="https://doc.rust-lang.org/")
    parser.add_argument("queries", type=pathlib.Path)
    parser.add_argument("judgements", type=pathlib.Path)
    args = parser.parse_args()
    [index] = args.html.glob("search-index*.js")
    text = re.search(r"JSON\.parse\('(.*)'\);", index.read_text(), re.S)[1]
    crates = json.loads(re.sub(r"\\(\n|.)", lambda it: "" if it[1] == "\n" else it[1] if it[1] in "'\\" else it[0], text))
    pages = collections.defaultdict(set)
    for name, page in items(crates["std"]):
        if (args.html / page).is_file():
            pages[name.lower()].add(page)
    alone = sorted((name, *found) for name, found in pages.items() if len(found) == 1)
    with args.queries.open("w") as queries, args.judgements.open("w") as judgements:
        for number, (name, page) in enumerate(alone, 1):
            queries.write(f"std{number}\t{name}\n")
            judgements.write(f"std{number} 0 {args.base}{page} 1\n")
    print(f"{len(alone)} items")


if __name__ == "__main__":
    main()
