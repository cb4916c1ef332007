"""Writes random forests that XGBoost and LightGBM have trained, with what these predict, as lines of JSON, for test/trees.test.ts to compare:

    /tmp/trees/bin/python test/trees/at-random.py 1000 300 > /tmp/forests.jsonl
    FORESTS=/tmp/forests.jsonl npx vitest run test/trees.test.ts -t "at random"

The first argument is the seed of the first forest, the second how many there are. Settings that a library refuses are left out, and so are
forests that are no sums of trees with a number at each leaf, which readTrees refuses.
"""

import base64
import json
import random
import sys

import lightgbm
import numpy
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
    format = chance.choice(["json", "ubj"])
    return settings, format, bytes(booster.save_raw(format)), booster.predict(xgboost.DMatrix(numpy.array(rows), **labels))


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
    table = lightgbm.Dataset(
        x, label=target(y), feature_name=features, categorical_feature=[3] if categories else [], params=settings, group=group
    )
    booster = lightgbm.train(settings, table, num_boost_round=chance.choice([1, 3, 6]))
    format = chance.choice(["json", "txt"])
    content = json.dumps(booster.dump_model()) if format == "json" else booster.model_to_string()
    return settings, format, content.encode(), booster.predict(numpy.array(rows), num_threads=1)


def plain(number):
    return None if numpy.isnan(number) else float(number)


first, count = int(sys.argv[1]), int(sys.argv[2])
for seed in range(first, first + count):
    chance, numbers = random.Random(seed), numpy.random.RandomState(seed)
    x, y, rows = data(chance, numbers)
    library, train = chance.choice([("xgboost", boosted), ("lightgbm", light)])
    try:
        settings, format, content, predictions = train(chance, seed, x, y, rows, chance.random() < 0.35)
    except (xgboost.core.XGBoostError, lightgbm.basic.LightGBMError) as error:
        print(seed, error, file=sys.stderr)
        continue
    print(json.dumps({
        "library": library, "name": f"{seed} {json.dumps(settings)}", "format": format,
        "content": base64.b64encode(content).decode(),
        "rows": [[plain(each) for each in row] for row in rows],
        "predictions": [[float(each) for each in numpy.atleast_1d(row).ravel()] for row in predictions],
    }))
