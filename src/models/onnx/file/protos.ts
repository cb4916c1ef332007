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
