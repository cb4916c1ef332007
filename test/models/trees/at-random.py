"""Writes random forests that XGBoost and LightGBM have trained, in each of their formats, with what these predict, as lines of JSON, for
campaign.ts to compare. The first argument is the seed of the first forest, the second how many there are. Settings that a library refuses are left out, and so are
forests that are no sums of trees with a number at each leaf, which readTrees refuses.
"""

import base64
import json
import random
import sys

import lightgbm
import numpy
import pandas
import xgboost

names = ["age", "price per unit", "x", "colour"]
rounded = lambda most: lambda y: numpy.clip(numpy.round(y), 0, most)
positive = lambda y: numpy.abs(y) + 0.1
above = lambda y: (y > 1).astype(float)
same = lambda y: y

boosted_objectives = [
    *[(name, same) for name in ("reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror", "reg:quantileerror")],
    *[(name, positive) for name in ("reg:squaredlogerror", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft")],
    *[(name, above) for name in ("reg:logistic", "binary:logistic", "binary:logitraw", "binary:hinge")],
    *[(name, rounded(2)) for name in ("multi:softprob", "multi:softmax")],
    *[(name, rounded(3)) for name in ("rank:pairwise", "rank:ndcg", "count:poisson")],
    ("two targets", lambda y: numpy.stack([y, -y], 1)),
]

light_objectives = [
    *[(name, same) for name in ("regression", "regression_l1", "huber", "fair", "quantile", "mape")],
    *[(name, positive) for name in ("poisson", "gamma", "tweedie")],
    *[(name, rounded(2)) for name in ("multiclass", "multiclassova")],
    *[(name, rounded(3)) for name in ("lambdarank", "rank_xendcg")],
    *[(name, lambda y: 1 / (1 + numpy.exp(-y))) for name in ("cross_entropy", "cross_entropy_lambda")],
    ("binary", above),
]


def thresholds_in(value):
    """What splits compare with, in a model as JSON."""
    if isinstance(value, dict):
        own = [each for key, each in value.items() if key in ("split_condition", "threshold") and isinstance(each, (int, float))]
        return own + thresholds_in(list(value.values()))
    return [each for one in value for each in thresholds_in(one)] if isinstance(value, list) else []


def on_thresholds(chance, x, model):
    """Rows on some of the thresholds of a model, and just beside them."""
    thresholds = [each for each in thresholds_in(model) if abs(each) < 1e30]
    rows = []
    for threshold in chance.sample(thresholds, min(8, len(thresholds))):
        for value in (threshold, numpy.nextafter(threshold, -9), float(numpy.float32(threshold)), numpy.nextafter(threshold, 9)):
            row = list(x[chance.randrange(200)])
            row[:3] = [value] * 3
            rows.append(row)
    return rows


def data(chance, numbers):
    x = numbers.randn(200, 4)
    x[:, 2] = numpy.round(x[:, 2] * 2)
    x[:, 3] = numbers.randint(0, chance.choice([3, 7, 40]), 200)
    if chance.random() < 0.7:
        x[numbers.rand(*x.shape) < 0.15] = numpy.nan
    target = numpy.where(numpy.nan_to_num(x[:, 3]) % 3 == 1, 2.0, 0) + numpy.nan_to_num(x[:, 0]) + numpy.nan_to_num(x[:, 2]) ** 2
    rows = [list(row) for row in x[:15]]
    for value in (0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, 1e-36, 1e30, -1e30, numpy.nan):
        row = list(x[chance.randrange(200)])
        row[chance.randrange(4)] = value
        rows.append(row)
    return x, target, [*rows, [numpy.nan] * 4, [0.0] * 4, [1.0, 1.0, 1.0, 2.5], [1.0, 1.0, 1.0, -0.5], [1.0, 1.0, 1.0, 100.0]]


def some(chance, *settings):
    """Each of these settings now and then."""
    chosen = {}
    for often, each in settings:
        if chance.random() < often:
            chosen.update(each)
    return chosen


def boosted(chance, seed, x, y, rows, categories):
    objective, target = chance.choice(boosted_objectives)
    settings = {
        **{"objective": "reg:squarederror" if objective == "two targets" else objective, "nthread": 1, "seed": seed},
        **{"max_depth": chance.choice([1, 2, 4]), "max_cat_to_onehot": chance.choice([1, 9])},
        **some(
            chance,
            *[(0.3, {"base_score": 0.3}), (0.2, {"booster": "dart", "rate_drop": 0.4})],
            *[(0.2, {"num_parallel_tree": 2, "subsample": 0.7}), (0.3, {"grow_policy": "lossguide", "max_leaves": 5})],
        ),
    }
    if objective.startswith("multi"):
        settings["num_class"] = 3
    if objective == "reg:quantileerror":
        settings["quantile_alpha"] = chance.choice([0.5, [0.1, 0.9]])
    types = ["q", "q", "q", "c" if categories else "q"]
    labels = {"feature_names": names, "feature_types": types, "enable_categorical": categories}
    matrix = xgboost.DMatrix(x, label=target(y), **labels)
    if objective.startswith("rank"):
        matrix.set_group([20] * 10)
    if objective == "survival:aft":
        matrix.set_float_info("label_lower_bound", target(y))
        matrix.set_float_info("label_upper_bound", target(y) + 1)
    booster = xgboost.train(settings, matrix, num_boost_round=chance.choice([1, 3, 6]))
    dump = "[" + ",".join(booster.get_dump(dump_format="json")) + "]"
    rows = rows + on_thresholds(chance, x, json.loads(dump))
    asked = xgboost.DMatrix(numpy.array(rows), **labels)
    margins = booster.predict(asked, output_margin=True)
    files = [("json", bytes(booster.save_raw("json"))), ("ubj", bytes(booster.save_raw("ubj")))]
    # A dump does not tell which tree is of which class, nor what each of a DART weighs.
    if margins.ndim == 1 and settings.get("booster") != "dart":
        files.append(("dump", dump.encode()))
    return settings, files, rows, booster.predict(asked), margins


def light(chance, seed, x, y, rows, categories):
    objective, target = chance.choice(light_objectives)
    settings = {
        **{"objective": objective, "num_leaves": chance.choice([2, 4, 9]), "min_data_in_leaf": 5, "verbose": -1},
        **{"num_threads": 1, "seed": seed, "deterministic": True},
        **some(
            chance,
            *[(0.2, {"zero_as_missing": True}), (0.2, {"use_missing": False}), (0.2, {"boost_from_average": False})],
            *[(0.1, {"boosting": "dart"}), (0.1, {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6})],
            *[(0.2, {"max_bin": 5}), (0.2, {"reg_sqrt": objective == "regression"})],
        ),
    }
    if objective.startswith("multi"):
        settings["num_class"] = 3
    if objective == "binary":
        settings["sigmoid"] = chance.choice([1.0, 2.0])
    if categories:
        settings.update(min_data_per_group=5, cat_smooth=1, max_cat_to_onehot=chance.choice([1, 4]))
    group = [20] * 10 if objective in ("lambdarank", "rank_xendcg") else None
    features = [name.replace(" ", "_") for name in names]
    own = numpy.unique(x[:, 3][~numpy.isnan(x[:, 3])]) * 10 + 5
    is_frame = categories and chance.random() < 0.5

    def table_of(rows):
        """The rows as a table of pandas, whose categories have numbers of their own."""
        if not is_frame:
            return numpy.array(rows)
        frame = pandas.DataFrame(numpy.array(rows), columns=features)
        frame["colour"] = pandas.Categorical(frame["colour"], categories=own.astype(int))
        return frame

    if is_frame:
        x[:, 3] = x[:, 3] * 10 + 5
        rows = [[*row[:3], row[3] * 10 + 5] for row in rows]
    column = ["colour"] if is_frame else [3] if categories else []
    table = lightgbm.Dataset(
        table_of(x), label=target(y), feature_name=features, categorical_feature=column, params=settings, group=group
    )
    booster = lightgbm.train(settings, table, num_boost_round=chance.choice([1, 3, 6]))
    model = booster.dump_model()
    rows = rows + on_thresholds(chance, x, model)
    files = [("json", json.dumps(model).encode()), ("txt", booster.model_to_string().encode())]
    predictions = booster.predict(table_of(rows), num_threads=1)
    return settings, files, rows, predictions, booster.predict(table_of(rows), num_threads=1, raw_score=True)


def plain(number):
    return None if numpy.isnan(number) else float(number)


def listed(numbers):
    return [[float(each) for each in numpy.atleast_1d(row).ravel()] for row in numbers]


first, count = int(sys.argv[1]), int(sys.argv[2])
for seed in range(first, first + count):
    chance, numbers = random.Random(seed), numpy.random.RandomState(seed)
    x, y, rows = data(chance, numbers)
    library, train = chance.choice([("xgboost", boosted), ("lightgbm", light)])
    try:
        settings, files, rows, predictions, margins = train(chance, seed, x, y, rows, chance.random() < 0.35)
    except (xgboost.core.XGBoostError, lightgbm.basic.LightGBMError) as error:
        print(seed, error, file=sys.stderr)
        continue
    print(json.dumps({
        "library": library, "seed": seed, "settings": json.dumps(settings),
        "files": [{"format": format, "content": base64.b64encode(content).decode()} for format, content in files],
        "rows": [[plain(each) for each in row] for row in rows],
        "predictions": listed(predictions), "margins": listed(margins),
    }), flush=True)
