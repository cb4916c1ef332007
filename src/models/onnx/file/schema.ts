import {
  bytes,
  double,
  type Fields,
  float,
  integer,
  message,
  optional,
  repeated,
  required,
  text,
  unsigned,
} from "./protobuf.js";
import type {
  AttributeProto,
  DimensionProto,
  EntryProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  OpsetProto,
  ShapeProto,
  SparseProto,
  TensorProto,
  TensorTypeProto,
  TypeProto,
  ValueInfoProto,
} from "./protos.js";

/** Which number is which field in the messages of `onnx.proto`. */

const entryFields: Fields<EntryProto> = { key: required(1, text, ""), value: required(2, text, "") };

export const tensorFields: Fields<TensorProto> = {
  dims: repeated(1, integer),
  dataType: required(2, integer, 0),
  floatData: repeated(4, float),
  int32Data: repeated(5, integer),
  stringData: repeated(6, text),
  int64Data: repeated(7, integer),
  name: required(8, text, ""),
  rawData: optional(9, bytes),
  doubleData: repeated(10, double),
  uint64Data: repeated(11, unsigned),
  externalData: repeated(
    13,
    message(() => entryFields),
  ),
  dataLocation: required(14, integer, 0),
};

const sparseFields: Fields<SparseProto> = {
  values: optional(
    1,
    message(() => tensorFields),
  ),
  indices: optional(
    2,
    message(() => tensorFields),
  ),
  dims: repeated(3, integer),
};

const dimensionFields: Fields<DimensionProto> = {
  dimValue: optional(1, integer),
  dimParam: optional(2, text),
};
const shapeFields: Fields<ShapeProto> = {
  dim: repeated(
    1,
    message(() => dimensionFields),
  ),
};
const tensorTypeFields: Fields<TensorTypeProto> = {
  elemType: required(1, integer, 0),
  shape: optional(
    2,
    message(() => shapeFields),
  ),
};
const typeFields: Fields<TypeProto> = {
  tensorType: optional(
    1,
    message(() => tensorTypeFields),
  ),
};
const valueInfoFields: Fields<ValueInfoProto> = {
  name: required(1, text, ""),
  type: optional(
    2,
    message(() => typeFields),
  ),
};

const attributeFields: Fields<AttributeProto> = {
  name: required(1, text, ""),
  f: optional(2, float),
  i: optional(3, integer),
  s: optional(4, text),
  t: optional(
    5,
    message(() => tensorFields),
  ),
  g: optional(
    6,
    message((): Fields<GraphProto> => graphFields),
  ),
  floats: repeated(7, float),
  ints: repeated(8, integer),
  strings: repeated(9, text),
  refAttrName: required(21, text, ""),
};

const nodeFields: Fields<NodeProto> = {
  input: repeated(1, text),
  output: repeated(2, text),
  name: required(3, text, ""),
  opType: required(4, text, ""),
  attribute: repeated(
    5,
    message(() => attributeFields),
  ),
  domain: required(7, text, ""),
};

const graphFields: Fields<GraphProto> = {
  node: repeated(
    1,
    message(() => nodeFields),
  ),
  name: required(2, text, ""),
  initializer: repeated(
    5,
    message(() => tensorFields),
  ),
  input: repeated(
    11,
    message(() => valueInfoFields),
  ),
  output: repeated(
    12,
    message(() => valueInfoFields),
  ),
  sparseInitializer: repeated(
    15,
    message(() => sparseFields),
  ),
};

const opsetFields: Fields<OpsetProto> = { domain: required(1, text, ""), version: required(2, integer, 0) };

const functionFields: Fields<FunctionProto> = {
  name: required(1, text, ""),
  input: repeated(4, text),
  output: repeated(5, text),
  node: repeated(
    7,
    message(() => nodeFields),
  ),
  opsetImport: repeated(
    9,
    message(() => opsetFields),
  ),
  domain: required(10, text, ""),
  attributeProto: repeated(
    11,
    message(() => attributeFields),
  ),
};

export const modelFields: Fields<ModelProto> = {
  producerName: required(2, text, ""),
  graph: optional(
    7,
    message(() => graphFields),
  ),
  opsetImport: repeated(
    8,
    message(() => opsetFields),
  ),
  functions: repeated(
    25,
    message(() => functionFields),
  ),
};
