"""Executes notebooks from top to bottom, however long that takes.

    execute.py [--check] [NOTEBOOK...]

Outputs are written into the notebooks. With --check they are compared with those that are there: the texts
must be the same, and pictures must be where pictures are. HTML is not compared, as it says the same as the
text beside it, nor is any output of a cell with the tag "times": that depends on the machine and the moment.
"""

import base64
import difflib
import functools
import importlib.util
import io
import pathlib
import shutil
import sys
import time

import nbformat
from nbclient import NotebookClient
from PIL import Image

FOLDER = pathlib.Path(__file__).resolve().parent
# Pictures of few colours stay sharp, and a notebook small; pictures that need more have more.
PALETTES = [24, 48, 96, 256]
# A kernel on a busy machine may need long to start, and to hand over what a cell has printed.
PATIENCE = 3600


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    names = [name for name in arguments if name != "--check"]
    paths = [pathlib.Path(name).resolve() for name in names] or sorted(FOLDER.glob("*.ipynb"))
    differ = [path.name for path in paths if not (lacks(path) or run(path, check))]
    if differ:
        sys.exit(f"{', '.join(differ)}: outputs differ from those in the file; if they should, run without --check")


def lacks(path):
    """Whether something is not there that a notebook says it needs; says so."""
    needs = nbformat.read(path, as_version=4).metadata.get("webrank", {}).get("needs", [])
    missing = [name for name in needs if not (shutil.which(name) or importlib.util.find_spec(name))]
    if missing:
        print(f"{path.name}: skipped, as there is no {' and no '.join(missing)}", flush=True)
    return bool(missing)


def run(path, check):
    """Executes a notebook; whether its outputs are as they were, or are written."""
    start = time.monotonic()
    notebook = nbformat.read(path, as_version=4)
    before = [said(cell) for cell in notebook.cells]
    execute(notebook, path.name)
    if check:
        different = [i for i, cell in enumerate(notebook.cells) if said(cell) != before[i]]
        for i in different:
            lines = difflib.unified_diff(before[i], said(notebook.cells[i]), "in the file", "now", lineterm="")
            print(f"{path.name}, cell {i + 1}:", *lines, sep="\n")
    else:
        different = []
        for cell in notebook.cells:
            # When a cell ran is nobody's business, and would differ from run to run.
            cell.metadata.pop("execution", None)
            if cell.cell_type == "code":
                cell.outputs = [kept(output) for output in cell.outputs if output.get("name") != "stderr"]
        notebook.metadata.language_info = {"name": "python"}
        nbformat.write(notebook, path)
    print(f"{path.name}: {time.monotonic() - start:.0f} s", flush=True)
    return not different


def execute(notebook, name):
    """Runs all cells, and tells how far it is."""
    started = {}

    def start(cell, cell_index):
        started[cell_index] = time.monotonic()

    def end(cell, cell_index, execute_reply):
        if cell.cell_type == "code":
            seconds = time.monotonic() - started[cell_index]
            print(f"{name}: cell {cell_index + 1} of {len(notebook.cells)}, {seconds:.1f} s", flush=True)

    NotebookClient(
        notebook,
        timeout=None,
        startup_timeout=PATIENCE,
        iopub_timeout=PATIENCE,
        resources={"metadata": {"path": str(FOLDER)}},
        on_cell_start=start,
        on_cell_executed=end,
    ).execute()


def said(cell):
    """The lines of a cell's outputs that are the same on every machine."""
    if "times" in cell.metadata.get("tags", []):
        return []
    lines = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            lines += output.text.splitlines() if output.name == "stdout" else []
        elif "image/png" in output.data:
            lines.append("a picture")
        else:
            lines += output.data["text/plain"].splitlines()
    return lines


def kept(output):
    """An output as it is kept: pictures have fewer colours. (What goes to stderr, such as estimates, is not kept.)"""
    picture = output.get("data", {}).get("image/png")
    if picture is not None:
        image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")
        small = io.BytesIO()
        reduced = next(few for few in map(functools.partial(fewer, image), PALETTES) if few)
        reduced.save(small, "PNG", optimize=True)
        output.data["image/png"] = base64.b64encode(small.getvalue()).decode()
    return output


def fewer(image, count):
    """The picture with so many colours; None if one that can be seen would change, as that of a line."""
    reduced = image.quantize(count, kmeans=4, dither=Image.Dither.NONE)
    pixels = image.width * image.height
    seen = {color for number, color in image.getcolors(pixels) if number > pixels / 2000}
    shown = {color for _, color in reduced.convert("RGB").getcolors(pixels)}
    near = (any(max(abs(a - b) for a, b in zip(color, other)) < 16 for other in shown) for color in seen)
    return reduced if count == PALETTES[-1] or all(near) else None


main()
