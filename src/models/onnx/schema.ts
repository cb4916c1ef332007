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

/** The messages of `onnx.proto`, as far as a model is read from them. Their names and numbers are ONNX's. */

export interface ModelProto {
  readonly graph: GraphProto | undefined;
  readonly opsetImport: readonly OpsetProto[];
  readonly functions: readonly FunctionProto[];
  readonly producerName: string;
}

export interface OpsetProto {
  readonly domain: string;
  readonly version: number;
}

export interface GraphProto {
  readonly node: readonly NodeProto[];
  readonly name: string;
  readonly initializer: readonly TensorProto[];
  readonly sparseInitializer: readonly SparseProto[];
  readonly input: readonly ValueInfoProto[];
  readonly output: readonly ValueInfoProto[];
}

/** An operator that a model brings with it, as a graph of others. */
export interface FunctionProto {
  readonly name: string;
  readonly domain: string;
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly attributeProto: readonly AttributeProto[];
  readonly node: readonly NodeProto[];
  readonly opsetImport: readonly OpsetProto[];
}

export interface NodeProto {
  readonly input: readonly string[];
  readonly output: readonly string[];
  readonly name: string;
  readonly opType: string;
  readonly domain: string;
  readonly attribute: readonly AttributeProto[];
}

export interface AttributeProto {
  readonly name: string;
  readonly f: number | undefined;
  readonly i: number | undefined;
  readonly s: string | undefined;
  readonly t: TensorProto | undefined;
  readonly g: GraphProto | undefined;
  readonly floats: readonly number[];
  readonly ints: readonly number[];
  readonly strings: readonly string[];
  /** In the body of a function: the attribute of the call that gives the value. */
  readonly refAttrName: string;
}

export interface TensorProto {
  readonly dims: readonly number[];
  readonly dataType: number;
  readonly floatData: readonly number[];
  readonly int32Data: readonly number[];
  readonly int64Data: readonly number[];
  readonly doubleData: readonly number[];
  readonly uint64Data: readonly number[];
  readonly stringData: readonly string[];
  readonly rawData: Uint8Array | undefined;
  readonly name: string;
  readonly externalData: readonly EntryProto[];
  readonly dataLocation: number;
}

export interface EntryProto {
  readonly key: string;
  readonly value: string;
}

export interface SparseProto {
  readonly values: TensorProto | undefined;
  readonly indices: TensorProto | undefined;
  readonly dims: readonly number[];
}

export interface ValueInfoProto {
  readonly name: string;
  readonly type: TypeProto | undefined;
}

/** The type of a tensor; a sequence, a map or an optional value has none. */
export interface TypeProto {
  readonly tensorType: TensorTypeProto | undefined;
}

export interface TensorTypeProto {
  readonly elemType: number;
  /** Nothing where not even the rank is declared. */
  readonly shape: ShapeProto | undefined;
}

export interface ShapeProto {
  readonly dim: readonly DimensionProto[];
}

/** A size, the name of one, or neither. */
export interface DimensionProto {
  readonly dimValue: number | undefined;
  readonly dimParam: string | undefined;
}

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
