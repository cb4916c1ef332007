"""Trains the two models of this folder, on lunches that were made up.

pip install scikit-learn==1.9.1 skl2onnx==1.20.0 xgboost==3.2.0
python train.py
"""
import json

import numpy
import xgboost
from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import FloatTensorType
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

# Cafés: a price, a rating of 1 to 5, and how many minutes one walks.
random = numpy.random.default_rng(16)
cafes = numpy.column_stack(
    [random.uniform(5, 40, 2000), random.uniform(1, 5, 2000), random.uniform(0, 30, 2000)]
).astype(numpy.float32)
price, rating, minutes = cafes.T

# How glad people were: of a good rating, less of what costs more than they had in mind, and not of a long walk.
glad = rating - numpy.maximum(0, price - 18) / 6 - (minutes / 15) ** 2 + random.normal(0, 0.2, 2000)

network = make_pipeline(
    StandardScaler(), MLPRegressor(hidden_layer_sizes=(8,), activation="tanh", max_iter=2000, random_state=1)
).fit(cafes, glad)
model = convert_sklearn(
    network,
    initial_types=[("cafe", FloatTensorType([None, 3]))],
    final_types=[("gladness", FloatTensorType([None, 1]))],
    target_opset=18,
)
for port in [*model.graph.input, *model.graph.output]:
    port.type.tensor_type.shape.dim[0].dim_param = "cafes"
with open("models/taste.onnx", "wb") as file:
    file.write(model.SerializeToString())

# Whether they came back: a forest, whose features have the names that a rank profile has for them.
returned = (glad + random.normal(0, 0.5, 2000) > 2).astype(int)
names = ["attribute(price)", "attribute(rating)", "minutes"]
forest = xgboost.XGBClassifier(n_estimators=12, max_depth=3, random_state=1).fit(cafes, returned)
forest.get_booster().feature_names = names
forest.get_booster().save_model("models/return.ubj")

# What the libraries say of three cafés; the walk asks the same.
three = numpy.array([[12, 4.5, 5], [35, 4.5, 5], [12, 4.5, 28]], numpy.float32)
print(json.dumps({"taste": network.predict(three).tolist(), "return": forest.predict_proba(three)[:, 1].tolist()}))
