"""Writes the tables of a made-up wiki, as mysqldump writes them: FOLDER/made-page.sql.gz and so on.

    python generate.py FOLDER --pages 1000000 --links 20000000 [--titles] [--plain]

A third of the pages are redirects, a fifth of the others are of other namespaces, a tenth of the link
targets do not exist. Outdegrees are equal, targets follow a power law. Links have numbers of targets,
or with --titles their titles. Equal arguments give equal files.
"""

import argparse
import gzip
import pathlib
import random

ROWS = 20_000


def save(path, table, columns, chunks, plain):
    """Writes a dump of rows that come in lists."""
    out = open(path.with_suffix(""), "wb") if plain else gzip.open(path, "wb", compresslevel=1)
    with out:
        head = f"-- MySQL dump 10.19\n--\n-- Host: db1    Database: madewiki\nCREATE TABLE `{table}` (\n"
        head += "".join(f"  `{column}` varbinary(255) NOT NULL,\n" for column in columns)
        out.write(f"{head}  PRIMARY KEY (`{columns[0]}`)\n) ENGINE=InnoDB;\n".encode())
        for rows in chunks:
            out.write(f"INSERT INTO `{table}` VALUES {','.join(rows)};\n".encode())
        out.write(b"-- Dump completed on 2024-05-01 11:08:35\n")


def parts(count, row):
    for start in range(0, count, ROWS):
        yield [row(number) for number in range(start, min(start + ROWS, count))]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--links", type=int, default=20_000_000)
    parser.add_argument("--titles", action="store_true")
    parser.add_argument("--plain", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    pages, links = options.pages, options.links
    random.seed(1)
    redirect = [random.random() < 1 / 3 for _ in range(pages)]
    space = [14 if random.random() < 0.2 else 0 for _ in range(pages)]
    leads = [random.randrange(pages) for _ in range(pages)]
    title = "A_page_of_this_wiki_{}".format

    def write(table, columns, chunks):
        path = options.folder / f"made-{table}.sql.gz"
        save(path, table, columns, chunks, options.plain)

    def page(number):
        flag = int(redirect[number])
        return (f"({number + 1},{space[number]},'{title(number)}',{flag},0,0.5,'20240401204201',"
                f"'20240401204201',{number},1000,'wikitext',NULL)")

    columns = ["id", "namespace", "title", "is_redirect", "is_new", "random", "touched", "links_updated",
               "latest", "len", "content_model", "lang"]
    write("page", [f"page_{column}" for column in columns], parts(pages, page))
    of_redirects = [page for page in range(pages) if redirect[page]]
    write("redirect", ["rd_from", "rd_namespace", "rd_title", "rd_interwiki", "rd_fragment"],
          parts(len(of_redirects), lambda it: "({},{},'{}','','')".format(
              of_redirects[it] + 1, space[leads[of_redirects[it]]], title(leads[of_redirects[it]]))))
    targets = pages + pages // 10
    of_target = space + [0] * (targets - pages)
    if not options.titles:
        write("linktarget", ["lt_id", "lt_namespace", "lt_title"],
              parts(targets, lambda it: f"({it + 1},{of_target[it]},'{title(it)}')"))
    sources = [page for page in range(pages) if not redirect[page]]

    def link(number):
        # Sorted by the page, as the key of the table is.
        source = sources[number * len(sources) // links] + 1
        target = int(targets * random.random() ** 3)
        if options.titles:
            return f"({source},{of_target[target]},'{title(target)}',0)"
        return f"({source},0,{target + 1})"

    named = ["pl_from", "pl_namespace", "pl_title", "pl_from_namespace"]
    numbered = ["pl_from", "pl_from_namespace", "pl_target_id"]
    write("pagelinks", named if options.titles else numbered, parts(links, link))


if __name__ == "__main__":
    main()
