"""Makes labels.json: small forests that XGBoost and LightGBM have trained on tables of pandas with categories, which their files say
by labels, and what the libraries predict for rows of such a table. Where a file does not tell which column has which labels, it is to
be refused.

    python3 -m venv /tmp/trees && /tmp/trees/bin/pip install xgboost-cpu==3.2.0 lightgbm==4.7.0 numpy scipy pandas
    /tmp/trees/bin/python test/models/trees/labels.py
"""

import base64
import json
import os

import lightgbm
import numpy
import pandas
import xgboost

here = os.path.dirname(os.path.abspath(__file__))
rng = numpy.random.default_rng(41)
count = 300
cases = []


def categories(labels):
    return pandas.Categorical(rng.choice(numpy.array(labels, dtype=object), count), categories=labels)


def case(name, table, target, refused=(), categorical="auto"):
    """Both libraries on one table; LightGBM with these features as categories, and refused where it is among those that are."""
    rows = table.drop_duplicates().head(12)
    described = [{key: value if isinstance(value, str) else float(value) for key, value in row.items()} for row in rows.to_dict("records")]
    settings = {"objective": "regression", "verbose": -1, "min_data_per_group": 5, "cat_smooth": 1, "num_threads": 1, "learning_rate": 1, "deterministic": True}
    light = lightgbm.train(settings, lightgbm.Dataset(table, label=target, categorical_feature=categorical), 2)
    files = [("txt", light.model_to_string()), ("json", json.dumps(light.dump_model()))]
    if "lightgbm" not in refused:
        predictions = [float(each) for each in light.predict(rows, num_threads=1)]
    else:
        predictions = None
    cases.append({"library": "lightgbm", "name": name, "rows": described, "files": [[f, base64.b64encode(c.encode()).decode()] for f, c in files], "predictions": predictions})
    if categorical != "auto":
        return
    booster = xgboost.train({"max_depth": 4, "eta": 1, "nthread": 1, "seed": 1}, xgboost.DMatrix(table, label=target, enable_categorical=True), 2)
    files = [(f, base64.b64encode(bytes(booster.save_raw(f))).decode()) for f in ("json", "ubj")]
    predictions = [float(each) for each in booster.predict(xgboost.DMatrix(rows, enable_categorical=True))]
    cases.append({"library": "xgboost", "name": name, "rows": described, "files": files, "predictions": predictions})


def value(column, worth):
    return numpy.array([worth[each] for each in column], dtype=float)


colours = categories(["red", "green", "blue"])
worth = value(colours, {"red": 5, "green": 1, "blue": 0})
case("one column of texts", pandas.DataFrame({"colour": colours}), worth)
case("beside a column that is always the same", pandas.DataFrame({"site": pandas.Categorical(["x"] * count), "colour": colours}), worth)
zones = categories([10, 20, 30, 40])
size = numpy.round(rng.normal(size=count), 2)
both = worth + value(zones, {10: 0, 20: 7, 30: 3, 40: 11}) + size
case("texts, numbers, and a number", pandas.DataFrame({"size": size, "colour": colours, "zone": zones}), both)
case("a number that is always the same", pandas.DataFrame({"same": numpy.zeros(count), "colour": colours}), worth)
kinds = rng.integers(0, 3, count)
kind = value(kinds, {0: 5, 1: 1, 2: 0})
case("labels of another column", pandas.DataFrame({"site": pandas.Categorical([7] * count), "kind": kinds}), kind, refused=["lightgbm"], categorical=["site", "kind"])
case("a column of numbers beside it", pandas.DataFrame({"colour": colours, "kind": kinds}), worth + 9 * kind, refused=["lightgbm"], categorical=["colour", "kind"])

with open(os.path.join(here, "labels.json"), "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in cases) + "\n]\n")
print(len(cases), "models,", sum(len(each["rows"]) for each in cases), "rows")
