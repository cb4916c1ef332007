"""Computes with numpy and scipy what the bench asks for: a request of JSON in each line of stdin, an answer of
JSON in each line of stdout. Arrays come and go through files. The bench sets the number of threads before."""
import ctypes
import json
import sys
import time
from pathlib import Path

import numpy as np

try:
    from scipy import sparse, __version__ as scipy_version
except ImportError:
    sparse = scipy_version = None

KINDS = {"Float64Array": np.float64, "Float32Array": np.float32, "Int8Array": np.int8, "Int32Array": np.int32}


def blas_kernels():
    """The processor whose kernels NumPy's OpenBLAS has chosen, which decides how fast its products are; None where it is another library."""
    for path in Path(np.__file__).parent.with_name("numpy.libs").glob("*openblas*"):
        name = getattr(ctypes.CDLL(str(path)), "scipy_openblas_get_corename64_", None)
        if name is not None:
            name.restype = ctypes.c_char_p
            return name().decode()
    return None


class Session:
    def __init__(self):
        self.names = {}
        self.runs = {}

    def versions(self, _):
        return {
            "python": sys.version.split()[0],
            "numpy": np.__version__,
            "OpenBLAS for": blas_kernels(),
            "scipy": scipy_version,
        }

    def clear(self, _):
        self.names = {"np": np, "sparse": sparse}

    def array(self, request):
        cells = np.fromfile(request["path"], KINDS[request["kind"]]).reshape(request["shape"])
        self.names[request["name"]] = cells if cells.ndim > 0 else cells[()]

    def define(self, request):
        """The code that `time` runs under a name; `before` is run at once."""
        exec(request["before"], self.names)
        self.runs[request["name"]] = self.function(request["run"])

    def answer(self, request):
        found = self.function(request["run"])()
        if sparse is not None and sparse.issparse(found):
            found = found.tocsr()
            found.sort_indices()
            found = found.data
        cells = np.ascontiguousarray(found, np.float64)
        cells.tofile(request["path"])
        return int(cells.size)

    def time(self, request):
        """Microseconds of a call, of several stretches of at least 50 microseconds, for some milliseconds."""
        run, clock = self.runs[request["name"]], time.perf_counter
        start = clock()
        run()
        calls = max(1, int(50e-6 / max(clock() - start, 1e-7)))
        end = start + request["milliseconds"] * 1e-3
        times = []
        while not times or clock() < end:
            start = clock()
            for _ in range(calls):
                run()
            times.append((clock() - start) / calls * 1e6)
        return times

    def function(self, code):
        return eval("lambda: " + code, self.names)


session = Session()
for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = {"value": getattr(session, request["do"])(request)}
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
