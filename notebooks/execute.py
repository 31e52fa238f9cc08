"""Executes notebooks from top to bottom.

    execute.py [--check] [NOTEBOOK...]

Outputs are written into the notebooks; with --check they are thrown away, and only errors count.
"""

import pathlib
import sys
import time

import nbformat
from nbclient import NotebookClient

FOLDER = pathlib.Path(__file__).resolve().parent


def main():
    arguments = sys.argv[1:]
    check = "--check" in arguments
    names = [name for name in arguments if name != "--check"]
    for path in [pathlib.Path(name) for name in names] or sorted(FOLDER.glob("*.ipynb")):
        start = time.monotonic()
        notebook = nbformat.read(path, as_version=4)
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(FOLDER)}})
        client.execute()
        if not check:
            for cell in notebook.cells:
                # When a cell ran is nobody's business, and would differ from run to run.
                cell.metadata.pop("execution", None)
            notebook.metadata.language_info = {"name": "python"}
            nbformat.write(notebook, path)
        print(f"{path.name}: {time.monotonic() - start:.0f} s")


main()
