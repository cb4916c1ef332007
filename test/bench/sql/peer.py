"""The workloads of this bench in xarray, on dense arrays in memory: prints the least milliseconds of the processors of some rounds."""
import sys
import time

import numpy
import xarray

name, cells, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
items, length = 1000, 64


def ratings():
    # A tenth of all pairs has a rating; the others are NaN, which xarray leaves out.
    users = -(-cells // (items // 10))
    u, i = numpy.ogrid[:users, :items]
    values = numpy.where((u * 31 + i * 17) % 10 == 0, ((u * 7 + i * 13) % 100) / 10.0, numpy.nan)
    return xarray.DataArray(values, dims=("user", "item"))


def features():
    i, g = numpy.ogrid[:items, :8]
    return xarray.DataArray(((i * g) % 7).astype(float), dims=("item", "feature"))


def contraction():
    r, f = ratings(), features()
    return lambda: xarray.dot(r.fillna(0), f, dim="item")


def group_by():
    r = ratings()
    return lambda: r.sum("item")


def softmax():
    r = ratings()

    def run():
        e = numpy.exp(r - r.max("item"))
        return ((e / e.sum("item")) ** 2).sum("item")

    return run


def maxsim():
    tokens = -(-cells // length) // 20 * 20
    n, x = numpy.ogrid[:tokens, :length]
    d = xarray.DataArray((((x * n) % 17) / 7.0).reshape(-1, 20, length), dims=("doc", "token", "x"))
    n, x = numpy.ogrid[:8, :length]
    q = xarray.DataArray(((x + n) % 5).astype(float), dims=("word", "x"))
    return lambda: xarray.dot(d, q, dim="x").max("token").sum("word")


run = {"contraction": contraction, "group by": group_by, "softmax per user": softmax, "MaxSim": maxsim}[name]()
least = float("inf")
for _ in range(rounds):
    start = time.process_time()
    run()
    least = min(least, time.process_time() - start)
print(least * 1000)
