"""Makes models.json and files.json: small forests trained by XGBoost and LightGBM themselves, and what these predict for rows, among them rows
on the thresholds of the trees, and rows that lack values. The models of files.json are in other formats than JSON: UBJSON of XGBoost
as base64, the text of LightGBM.

    python3 -m venv /tmp/trees && /tmp/trees/bin/pip install xgboost-cpu lightgbm numpy scipy
    /tmp/trees/bin/python test/models/trees/make.py
"""

import base64
import json
import os

import lightgbm
import numpy
import xgboost

here = os.path.dirname(os.path.abspath(__file__))
rng = numpy.random.default_rng(20191208)
names = ["age", "price per unit", "x", "colour"]


def data(rows, missing=True, categories=False):
    x = rng.normal(size=(rows, 4))
    x[:, 2] = numpy.round(x[:, 2] * 2)
    x[:, 3] = rng.integers(0, 7, size=rows)
    if missing:
        x[rng.random(size=x.shape) < 0.15] = numpy.nan
    target = numpy.where(numpy.nan_to_num(x[:, 3]) % 3 == 1, 2.0, 0) + numpy.nan_to_num(x[:, 0]) + numpy.nan_to_num(x[:, 2]) ** 2
    return x, target


def thresholds_in(value, found):
    if isinstance(value, dict):
        for key, each in value.items():
            if key in ("split_condition", "threshold") and isinstance(each, (int, float)):
                found.append(float(each))
            thresholds_in(each, found)
    elif isinstance(value, list):
        for each in value:
            thresholds_in(each, found)
    return found


def rows_for(x, model, whole):
    """Rows of the data, rows on thresholds and just beside them, and rows that lack values."""
    rows = [list(row) for row in x[:12]]
    thresholds = [each for each in thresholds_in(model, []) if abs(each) < 1e30]
    for at, threshold in enumerate(thresholds[:16]):
        for value in (threshold, numpy.nextafter(threshold, -9), float(numpy.float32(threshold)), numpy.nextafter(threshold, 9), -threshold):
            row = list(x[at % 12])
            for feature in range(3):
                row[feature] = value
            rows.append(row)
    rows += [[numpy.nan] * 4, [0.0] * 4, [numpy.nan, 0.0, numpy.nan, 3.0], [1e-36, -1e-36, 0.0, numpy.nan]]
    return rows


def plain(number):
    return None if numpy.isnan(number) else float(number)


cases = []
files = []


def add_file(format, content):
    """The latest case, with the model as a file of another format."""
    if cases[-1]["name"] in ("logistic, base score", "classes, probabilities", "categories", "dart", "0 is missing", "binary, sigmoid 2", "random forest"):
        files.append({**cases[-1], "model": None, "dump": None, "format": format, "content": content})


def add(library, name, model, dump, rows, predictions):
    cases.append({
        "library": library, "name": name, "model": model, "dump": dump,
        "rows": [[plain(each) for each in row] for row in rows],
        "predictions": [[float(each) for each in numpy.atleast_1d(row)] for row in predictions],
    })


def boosted(name, parameters, target_of, missing=True, categories=False):
    x, y = data(300, missing, categories)
    types = ["q", "q", "q", "c" if categories else "q"]
    matrix = xgboost.DMatrix(x, label=target_of(y), feature_names=names, feature_types=types, enable_categorical=categories)
    booster = xgboost.train({"max_depth": 3, "seed": 1, "nthread": 1, **parameters}, matrix, num_boost_round=5)
    model = json.loads(booster.save_raw("json"))
    dump = [json.loads(each) for each in booster.get_dump(dump_format="json")]
    rows = rows_for(x, dump, False)
    wide = xgboost.DMatrix(numpy.array(rows), feature_names=names, feature_types=types, enable_categorical=categories)
    margins = booster.predict(wide, output_margin=True)
    add("xgboost", name, model, dump if booster.num_boosted_rounds() == len(dump) and "dart" not in name else None, rows, booster.predict(wide))
    cases[-1]["margins"] = [[float(each) for each in numpy.atleast_1d(row)] for row in margins]
    add_file("ubj", base64.b64encode(bytes(booster.save_raw("ubj"))).decode())


boosted("squared error", {"objective": "reg:squarederror"}, lambda y: y)
boosted("logistic", {"objective": "binary:logistic"}, lambda y: (y > 1).astype(float))
boosted("logistic, base score", {"objective": "binary:logistic", "base_score": 0.3}, lambda y: (y > 1).astype(float))
boosted("logistic, raw", {"objective": "binary:logitraw"}, lambda y: (y > 1).astype(float))
boosted("poisson", {"objective": "count:poisson"}, lambda y: numpy.round(numpy.abs(y)))
boosted("tweedie", {"objective": "reg:tweedie"}, lambda y: numpy.abs(y) + 0.5)
boosted("classes, probabilities", {"objective": "multi:softprob", "num_class": 3}, lambda y: numpy.clip(numpy.round(y), 0, 2))
boosted("classes, the greatest", {"objective": "multi:softmax", "num_class": 3}, lambda y: numpy.clip(numpy.round(y), 0, 2))
boosted("categories", {"objective": "reg:squarederror", "max_cat_to_onehot": 1}, lambda y: y, categories=True)
boosted("categories, one at a time", {"objective": "reg:squarederror", "max_cat_to_onehot": 9}, lambda y: y, categories=True)
boosted("dart", {"objective": "reg:squarederror", "booster": "dart", "rate_drop": 0.4}, lambda y: y)


def light(name, parameters, target_of, missing=True, categories=False):
    x, y = data(300, missing)
    settings = {"num_leaves": 6, "min_data_in_leaf": 5, "verbose": -1, "num_threads": 1, "seed": 1, "deterministic": True, **parameters}
    set_ = lightgbm.Dataset(x, label=target_of(y), feature_name=[each.replace(" ", "_") for each in names],
                            categorical_feature=[3] if categories else [], params=settings)
    booster = lightgbm.train(settings, set_, num_boost_round=5)
    model = booster.dump_model()
    rows = rows_for(x, model, False)
    add("lightgbm", name, model, None, rows, booster.predict(numpy.array(rows), num_threads=1))
    add_file("txt", booster.model_to_string())


light("regression", {"objective": "regression"}, lambda y: y)
light("nothing missing", {"objective": "regression"}, lambda y: y, missing=False)
light("0 is missing", {"objective": "regression", "zero_as_missing": True}, lambda y: y)
light("missing is 0", {"objective": "regression", "use_missing": False}, lambda y: y)
light("binary, sigmoid 2", {"objective": "binary", "sigmoid": 2}, lambda y: (y > 1).astype(float))
light("poisson", {"objective": "poisson"}, lambda y: numpy.abs(y))
light("square root", {"objective": "regression", "reg_sqrt": True}, lambda y: y)
light("cross entropy", {"objective": "cross_entropy"}, lambda y: 1 / (1 + numpy.exp(-y)))
light("cross entropy, lambda", {"objective": "cross_entropy_lambda"}, lambda y: 1 / (1 + numpy.exp(-y)))
light("classes", {"objective": "multiclass", "num_class": 3}, lambda y: numpy.clip(numpy.round(y), 0, 2))
light("one class against all", {"objective": "multiclassova", "num_class": 3}, lambda y: numpy.clip(numpy.round(y), 0, 2))
light("random forest", {"objective": "regression", "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}, lambda y: y)
light("categories", {"objective": "regression", "min_data_per_group": 5, "cat_smooth": 1}, lambda y: y, categories=True)

for name, list_ in (("models.json", cases), ("files.json", files)):
    with open(os.path.join(here, name), "w") as file:
        file.write("[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in list_) + "\n]\n")
print(len(cases), "models,", sum(len(each["rows"]) for each in cases), "rows")
