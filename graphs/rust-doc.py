#!/usr/bin/env python3
"""The hyperlink graph of the Rust documentation, from Debian's package rust-doc.

    python3 graphs/rust-doc.py rust-doc.tsv && rank import rust-doc.tsv -o graphs/rust-doc.bv --compact

A node is a page: a regular .html file below usr/share/doc/rust-doc/html, named by its path there
(symbolic links are not followed, so no page is there twice). An arc leads from a page to another
page, or to itself, that an <a href> on it names: relative links are resolved, fragments and
queries dropped, percent-encodings decoded, a link to a folder is one to its index.html; each pair
counts once. Links that consist of a fragment alone, within the page, are left out.

Writes lines 'source<TAB>target', and a line with the page alone for every page; compressed if the
name of the output ends in .gz.
Needs apt-get and dpkg-deb.
"""
import gzip
import html.parser
import pathlib
import posixpath
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = "usr/share/doc/rust-doc/html"


class Links(html.parser.HTMLParser):
    """Collects the href of every <a>."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.hrefs = []

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.hrefs += [value for name, value in attributes if name == "href" and value is not None]


def target(page, href, pages):
    """The page that href on page leads to, or None."""
    try:
        link = urllib.parse.urlsplit(href.strip())
    except ValueError:
        return None
    if link.scheme or link.netloc:
        return None
    if not link.path:
        return None
    path = urllib.parse.unquote(link.path)
    if path.startswith("/"):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    if path in pages:
        return path
    index = posixpath.join(path, "index.html").removeprefix("./")
    return index if index in pages else None


def create(output):
    """A text file to write, compressed if its name ends in .gz."""
    if output.endswith(".gz"):
        return gzip.open(output, "wt", encoding="utf-8")
    if output.endswith(".zst"):
        sys.exit(f"{output}: write plain text or .gz, or compress with zstd afterwards")
    return open(output, "w", encoding="utf-8")


def main(output):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", "rust-doc"], cwd=folder, check=True)
        package = next(pathlib.Path(folder).glob("rust-doc_*.deb"))
        print(package.name, file=sys.stderr)
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
        root = pathlib.Path(folder, ROOT)
        files = (f for f in root.rglob("*.html") if f.is_file() and not f.is_symlink())
        pages = {f.relative_to(root).as_posix() for f in files}
        arcs = 0
        with create(output) as out:
            for page in sorted(pages):
                links = Links()
                links.feed((root / page).read_text(encoding="utf-8", errors="replace"))
                targets = {target(page, href, pages) for href in links.hrefs} - {None}
                out.write(f"{page}\n")
                out.writelines(f"{page}\t{to}\n" for to in sorted(targets))
                arcs += len(targets)
    print(f"{len(pages)} pages, {arcs} links", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
