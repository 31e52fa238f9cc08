#!/usr/bin/env python3
"""A crawl of several hosts: Debian packages with HTML documentation, served on the loopback interface by the names and
paths that they have on the web, so that their links to each other lead there.

    benches/crawl/hosts.py RANK OUTPUT [--delay 50ms] [--ip-delay 20ms]

RANK is the program. Packages are downloaded by apt-get (Debian or Ubuntu) into OUTPUT/packages unless they are there; those that
cannot be had are left out. Needs openssl, and all of 127.0.0.0/8, as Linux has it. Each host has an address of its
own, but for two, which share one. Servers speak http and https, with certificates of an authority that is made here and given by
--ca-file; they write down every request, and politeness is read from that.

Writes OUTPUT/warc, OUTPUT/web.bv, OUTPUT/requests.csv, and prints tables.
"""

import argparse
import collections
import csv
import http.server
import pathlib
import resource
import socket
import ssl
import statistics
import subprocess
import threading
import time
import urllib.parse

# Package, folder in it (after usr/share), URL.
SITES = [
    ("python3.11-doc", "doc/python3.11/html", "https://docs.python.org/3/"),
    ("python-scipy-doc", "doc/python-scipy-doc/html", "https://docs.scipy.org/doc/scipy/"),
    ("python-pandas-doc", "doc/python-pandas-doc/html", "https://pandas.pydata.org/pandas-docs/stable/"),
    ("python-astropy-doc", "doc/python-astropy-doc/html", "https://docs.astropy.org/en/stable/"),
    ("python-dask-doc", "doc/python-dask-doc/html", "https://docs.dask.org/en/stable/"),
    ("python-django-doc", "doc/python-django-doc/html", "https://docs.djangoproject.com/en/3.2/"),
    ("python-flask-doc", "doc/python-flask-doc/html", "https://flask.palletsprojects.com/"),
    ("python-jinja2-doc", "doc/python-jinja2-doc/html", "https://jinja.palletsprojects.com/"),
    ("python-requests-doc", "doc/python-requests-doc/html", "https://requests.readthedocs.io/en/latest/"),
    ("python-h5py-doc", "doc/python-h5py-doc/html", "https://docs.h5py.org/en/stable/"),
    ("python-sqlalchemy-doc", "doc/python-sqlalchemy-doc/html", "https://docs.sqlalchemy.org/en/14/"),
    ("python-statsmodels-doc", "doc/python-statsmodels-doc/html", "https://www.statsmodels.org/stable/"),
    ("python-sympy-doc", "doc/python-sympy-doc/html", "https://docs.sympy.org/latest/"),
    ("python-sklearn-doc", "doc/python-sklearn-doc/html", "https://scikit-learn.org/stable/"),
    ("python-xarray-doc", "doc/python-xarray-doc/html", "https://docs.xarray.dev/en/stable/"),
    ("sphinx-doc", "doc/sphinx-doc/html", "https://www.sphinx-doc.org/en/master/"),
    ("postgresql-doc-15", "doc/postgresql-doc-15/html", "https://www.postgresql.org/docs/15/"),
    ("apache2-doc", "doc/apache2-doc/manual", "https://httpd.apache.org/docs/2.4/"),
    ("git-doc", "doc/git-doc", "https://git-scm.com/docs/"),
    ("debian-handbook", "doc/debian-handbook/html/en-US", "https://debian-handbook.info/browse/stable/"),
    ("debian-policy", "doc/debian-policy/policy.html", "https://www.debian.org/doc/debian-policy/"),
    ("developers-reference", "developers-reference", "https://www.debian.org/doc/manuals/developers-reference/"),
]
# These two share an address.
TOGETHER = ["flask.palletsprojects.com", "jinja.palletsprojects.com"]
ROBOTS = {
    "docs.dask.org": "User-agent: *\nDisallow: /en/stable/_modules/\n",
    "docs.sqlalchemy.org": "User-agent: *\nCrawl-delay: 0.2\n",
}
# Where packages name a file of another package, and not its URL.
MOVED = {"/usr/share/doc/python3-doc/html/": "https://docs.python.org/3/"}
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".png": "image/png", ".txt": "text/plain"}


class Site:
    """A host: folders by the start of their paths, and the address."""

    def __init__(self, address):
        self.address = address
        self.folders = {}

    def find(self, path):
        """The file of a path, or where it leads; None if there is neither."""
        for start, to in MOVED.items():
            if path.startswith(start):
                return to + path[len(start):]
        for start, folder in self.folders.items():
            if path.startswith(start):
                file = (folder / path[len(start):]).resolve()
                if not file.is_relative_to(folder):
                    return None
                if file.is_dir():
                    return file / "index.html" if path.endswith("/") else path + "/"
                return file
        return next(iter(self.folders)) if path == "/" else None


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def finish_request(self, request, client_address):
        # A secure connection begins with this byte.
        if request.recv(1, socket.MSG_PEEK) == b"\x16":
            request = self.secure.wrap_socket(request, server_side=True)
        super().finish_request(request, client_address)

    def handle_error(self, request, client_address):
        """Problems are those of the other side; what was not answered is not in the log."""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        begun = time.monotonic()
        host = self.headers["Host"].split(":")[0]
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        status, kind, location, body = self.answer(self.server.sites.get(host), host, path)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        # Written down before the first byte: a crawler that wants no body is done once it has the head.
        entry = (host, self.server.server_address[0], path, status, begun, time.monotonic())
        self.server.log.append(entry)
        self.end_headers()
        self.wfile.write(body)

    @staticmethod
    def answer(site, host, path):
        if path == "/robots.txt" and host in ROBOTS:
            return 200, "text/plain", None, ROBOTS[host].encode()
        found = site.find(path) if site else None
        if isinstance(found, str):
            return 302, "text/plain", found, b""
        if found is None or not found.is_file():
            return 404, "text/html", None, b"<!doctype html><title>404</title>"
        return 200, TYPES.get(found.suffix, "application/octet-stream"), None, found.read_bytes()

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rank", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--delay", default="50ms")
    parser.add_argument("--ip-delay", default="20ms")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    sites, seeds = unpack(args.output / "packages")
    secure, authority = certificates(args.output, sites)
    log = []
    places = serve(sites, secure, log)
    (args.output / "seeds.txt").write_text("".join(f"{seed}\n" for seed in seeds))
    crawl = [args.rank.resolve(), "crawl", args.output / "seeds.txt", "-o", args.output / "warc"]
    crawl += ["--contact", "https://crawl.example/", "--ca-file", authority]
    crawl += ["--delay", args.delay, "--ip-delay", args.ip_delay, "--delay-factor", "0"]
    for host, site in sites.items():
        crawl += ["--resolve", f"{host}:{site.address}:{places[site.address]}"]
    start = time.monotonic()
    subprocess.run(crawl, check=True)
    seconds = time.monotonic() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{seconds / 60:.1f} minutes, {used.ru_utime + used.ru_stime:.0f} s of the processor, {used.ru_maxrss / 1024:.0f} MiB\n")
    with (args.output / "requests.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["host", "address", "path", "status", "begun", "ended"])
        table.writerows(log)
    politeness(log)
    rank(args.rank.resolve(), args.output)


def unpack(folder):
    """The sites whose packages are there, or can be had, and their first pages."""
    folder.mkdir(exist_ok=True)
    folder = folder.resolve()
    sites, seeds = {}, []
    for package, inside, url in SITES:
        if not (folder / package).exists():
            archives = list(folder.glob(f"{package}_*.deb"))
            if not archives:
                subprocess.run(["apt-get", "download", "-qq", package], cwd=folder, check=False)
                archives = list(folder.glob(f"{package}_*.deb"))
            if not archives:
                print(f"{package} cannot be had", flush=True)
                continue
            subprocess.run(["dpkg-deb", "-x", archives[0], folder / package], check=True)
        parts = urllib.parse.urlsplit(url)
        site = sites.get(parts.hostname)
        if site is None:
            owner = sites.get(TOGETHER[0]) if parts.hostname in TOGETHER else None
            address = owner.address if owner else f"127.0.0.{len(sites) + 2}"
            site = sites[parts.hostname] = Site(address)
        site.folders[parts.path] = folder / package / "usr/share" / inside
        seeds.append(url)
    return sites, seeds


def certificates(output, sites):
    """A context for servers, and the file of the authority that vouches for them."""
    folder = output / "certificates"
    folder.mkdir(exist_ok=True)

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *new, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=documentation")
    openssl("req", *new, "-keyout", "host.key", "-out", "host.csr", "-subj", "/CN=documentation")
    names = ",".join(f"DNS:{host}" for host in sites)
    (folder / "host.ext").write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\n")
    signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial", "1", "-days", "2", "-extfile", "host.ext"]
    openssl("x509", "-req", "-in", "host.csr", "-out", "host.pem", *signing)
    secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.load_cert_chain(folder / "host.pem", folder / "host.key")
    return secure, folder / "ca.pem"


def serve(sites, secure, log):
    """Starts a server at each address; the ports of addresses."""
    places = {}
    for address in sorted({site.address for site in sites.values()}):
        server = Server((address, 0), Handler)
        server.sites, server.secure, server.log = sites, secure, log
        places[address] = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
    return places


def politeness(log):
    """The records of the servers: pages, and rests from the end of a request to the start of the next."""

    def rests(requests):
        ordered = sorted(requests, key=lambda entry: entry[4])
        return [1000 * (after[4] - before[5]) for before, after in zip(ordered, ordered[1:])]

    of_hosts, of_addresses = collections.defaultdict(list), collections.defaultdict(list)
    for entry in log:
        of_hosts[entry[0]].append(entry)
        of_addresses[entry[1]].append(entry)
    print("| host | requests | found | least rest, ms | median rest, ms |\n|---|---:|---:|---:|---:|")
    for host, requests in sorted(of_hosts.items(), key=lambda item: -len(item[1])):
        found, rest = sum(entry[3] == 200 for entry in requests), rests(requests) or [0]
        assert min(requests, key=lambda entry: entry[4])[2] == "/robots.txt", host
        print(f"| {host} | {len(requests):,} | {found:,} | {min(rest):.1f} | {statistics.median(rest):.1f} |")
    shared = [found for found in of_addresses.values() if len({entry[0] for entry in found}) > 1]
    for requests in shared:
        names = " and ".join(sorted({entry[0] for entry in requests}))
        print(f"\n{names} share an address: {len(requests):,} requests, least rest {min(rests(requests)):.1f} ms")
    pages = collections.Counter((entry[0], entry[2]) for entry in log)
    forbidden = sum(path.startswith("/en/stable/_modules/") for host, path in pages if host == "docs.dask.org")
    print(f"\n{len(log):,} requests; {sum(times > 1 for times in pages.values())} paths asked for more than once (by http and "
          f"https, or with queries); {forbidden} forbidden ones\n")


def rank(program, output):
    """The graph of what was crawled, its ranking, and that of its hosts."""

    def run(*arguments):
        print(subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout)

    bundle = output / "web.bv"
    run("ingest", *sorted((output / "warc").glob("*.warc.gz")), "-o", bundle, "--force")
    run("fold", bundle, "--to", "hosts", "-o", output / "hosts.bv", "--force")
    run("info", output / "hosts.bv")
    run("pagerank", bundle, "--top", "10")
    run("pagerank", output / "hosts.bv", "--top", "10")


if __name__ == "__main__":
    main()
