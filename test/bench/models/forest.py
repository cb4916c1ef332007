"""Trains a forest with LightGBM, writes it to the file that the argument names, and times its own predictor, on one thread: a line of JSON."""

import json
import sys
import time

import lightgbm
import numpy

numbers = numpy.random.RandomState(11)
x = numbers.randn(20000, 28)
y = x[:, 0] * x[:, 1] + numpy.sin(3 * x[:, 2]) + numbers.randn(20000)
settings = {"objective": "regression", "num_leaves": 64, "min_data_in_leaf": 5, "learning_rate": 0.05, "verbose": -1, "num_threads": 1}
booster = lightgbm.train(settings, lightgbm.Dataset(x, label=y), num_boost_round=1000)
with open(sys.argv[1], "w") as file:
    json.dump(booster.dump_model(), file)


def least(rows, times):
    def once():
        start = time.perf_counter()
        booster.predict(rows, num_threads=1)
        return time.perf_counter() - start

    return 1000 * min(once() for _ in range(times))


rows = numbers.randn(1000, 28)
predictions = booster.predict(rows, num_threads=1)
print(json.dumps({
    "rows": rows.ravel().tolist(), "predictions": predictions.tolist(), "batch": least(rows, 20), "one": least(rows[:1], 200),
}))
