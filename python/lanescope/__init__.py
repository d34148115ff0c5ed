"""CUDA kernels run on Lanescope's emulator, or on a GPU, from Python: counters, findings and grades as Python objects.

    import lanescope
    run = lanescope.run("scale.cu", args=["1024"])
    run.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]

In a notebook, `%load_ext lanescope` gives cells that begin with `%%lanescope`. docs/notebook.md describes both.
"""
from ._objects import Run, grade, run
from ._program import LanescopeError, path

__all__ = ["LanescopeError", "Run", "grade", "load_ipython_extension", "path", "run"]
__version__ = "0.1.0"


def load_ipython_extension(shell):
    from . import _notebook
    _notebook.load(shell)
