import { Draw } from "../draw.js";
import type { Input } from "../inputs.js";
import { type Graph, modelOf } from "../onnx.js";

/** Nets of images as everybody knows them, with weights by chance: what they compute means nothing, and takes the time that it takes. */

type Attributes = NonNullable<Graph["nodes"][number]["attributes"]>;

/** A value of a net: its name, channels, and pixels along an edge. */
interface Layer {
  readonly name: string;
  readonly channels: number;
  readonly edge: number;
}

interface Window {
  readonly size: number;
  readonly stride?: number;
  readonly pad?: number;
}

/** Writes a net, a layer at a time. */
class Net {
  readonly nodes: Graph["nodes"][number][] = [];
  private readonly constants: Record<string, Input> = {};
  private readonly draw = new Draw(7);

  add(op: string, inputs: readonly string[], attributes: Attributes = {}): string {
    this.nodes.push({ op, inputs, attributes });
    return `result${this.nodes.length - 1}`;
  }

  weights(shape: readonly number[], spread: number): string {
    const name = `w${Object.keys(this.constants).length}`;
    const count = shape.reduce((all, each) => all * each, 1);
    this.constants[name] = arrayOf(shape, this.draw.floats(count, -spread, spread));
    return name;
  }

  number(value: number): string {
    const name = `n${Object.keys(this.constants).length}`;
    this.constants[name] = arrayOf([], Float32Array.of(value));
    return name;
  }

  convolution(x: Layer, channels: number, { size, stride = 1, pad = 0 }: Window, groups = 1): Layer {
    const inner = x.channels / groups;
    const spread = Math.sqrt(6 / (inner * size * size));
    const inputs = [
      x.name,
      this.weights([channels, inner, size, size], spread),
      this.weights([channels], 0.1),
    ];
    const attributes = { ...windowAttributes(size, stride, pad), group: groups };
    return { name: this.add("Conv", inputs, attributes), channels, edge: edgeOf(x.edge, size, stride, pad) };
  }

  relu = (x: Layer): Layer => ({ ...x, name: this.add("Relu", [x.name]) });

  pool(x: Layer, { size, stride = 1, pad = 0 }: Window): Layer {
    const name = this.add("MaxPool", [x.name], windowAttributes(size, stride, pad));
    return { ...x, name, edge: edgeOf(x.edge, size, stride, pad) };
  }

  /** The mean of each channel, and a last layer of classes. */
  classes(x: Layer, count: number): void {
    const flat = this.add("Flatten", [this.add("GlobalAveragePool", [x.name])]);
    const product = this.add("MatMul", [flat, this.weights([x.channels, count], Math.sqrt(3 / x.channels))]);
    this.add("Add", [product, this.weights([count], 0.1)]);
  }

  bytes(input: Input): Uint8Array {
    return modelOf({ inputs: { x: input }, constants: this.constants, nodes: this.nodes });
  }
}

/** What goes into a file, and is no tensor of ours. */
const arrayOf = (shape: readonly number[], cells: Float32Array): Input => ({
  value: 0,
  cells,
  shape,
  ids: {},
});

const windowAttributes = (size: number, stride: number, pad: number): Attributes => ({
  kernel_shape: [size, size],
  strides: [stride, stride],
  pads: [pad, pad, pad, pad],
});

const edgeOf = (edge: number, size: number, stride: number, pad: number): number =>
  Math.floor((edge + 2 * pad - size) / stride) + 1;

const image: Layer = { name: "x", channels: 3, edge: 224 };

function resnet50(net: Net): void {
  let x = net.pool(net.relu(net.convolution(image, 64, { size: 7, stride: 2, pad: 3 })), {
    size: 3,
    stride: 2,
    pad: 1,
  });
  for (const [stage, blocks] of [3, 4, 6, 3].entries())
    for (let block = 0; block < blocks; block++) {
      const [width, stride] = [64 * 2 ** stage, block === 0 && stage > 0 ? 2 : 1];
      const before = net.relu(net.convolution(x, width, { size: 1 }));
      const middle = net.relu(net.convolution(before, width, { size: 3, stride, pad: 1 }));
      const after = net.convolution(middle, 4 * width, { size: 1 });
      const around = block === 0 ? net.convolution(x, 4 * width, { size: 1, stride }) : x;
      x = net.relu({ ...after, name: net.add("Add", [after.name, around.name]) });
    }
  net.classes(x, 1000);
}

function squeezenet(net: Net): void {
  const fire = (x: Layer, few: number, many: number): Layer => {
    const squeezed = net.relu(net.convolution(x, few, { size: 1 }));
    const parts = [{ size: 1 }, { size: 3, pad: 1 }].map((window) =>
      net.relu(net.convolution(squeezed, many, window)),
    );
    const name = net.add(
      "Concat",
      parts.map((each) => each.name),
      { axis: 1 },
    );
    return { ...squeezed, name, channels: 2 * many };
  };
  const half: Window = { size: 3, stride: 2 };
  let x = net.pool(net.relu(net.convolution(image, 64, half)), half);
  x = net.pool(fire(fire(x, 16, 64), 16, 64), half);
  x = net.pool(fire(fire(x, 32, 128), 32, 128), half);
  x = fire(fire(fire(fire(x, 48, 192), 48, 192), 64, 256), 64, 256);
  net.add("GlobalAveragePool", [net.relu(net.convolution(x, 1000, { size: 1 })).name]);
}

/** How much each block widens, its channels, how many there are, and the stride of the first. */
const mobileBlocks = [
  [1, 16, 1, 1],
  [6, 24, 2, 2],
  [6, 32, 3, 2],
  [6, 64, 4, 2],
  [6, 96, 3, 1],
  [6, 160, 3, 2],
  [6, 320, 1, 1],
] as const;

function mobilenet(net: Net): void {
  const [least, most] = [net.number(0), net.number(6)];
  const clipped = (x: Layer): Layer => ({ ...x, name: net.add("Clip", [x.name, least, most]) });
  let x = clipped(net.convolution(image, 32, { size: 3, stride: 2, pad: 1 }));
  for (const [widening, channels, blocks, first] of mobileBlocks)
    for (let block = 0; block < blocks; block++) {
      const stride = block === 0 ? first : 1;
      const inner = x.channels * widening;
      const wide = widening === 1 ? x : clipped(net.convolution(x, inner, { size: 1 }));
      const deep = clipped(net.convolution(wide, inner, { size: 3, stride, pad: 1 }, inner));
      const result = net.convolution(deep, channels, { size: 1 });
      const isAdded = stride === 1 && channels === x.channels;
      x = isAdded ? { ...result, name: net.add("Add", [x.name, result.name]) } : result;
    }
  net.classes(clipped(net.convolution(x, 1280, { size: 1 })), 1000);
}

function digits(net: Net): void {
  const layer = (x: string, from: number, to: number): string =>
    net.add("Add", [net.add("MatMul", [x, net.weights([from, to], 1 / from)]), net.weights([to], 0.1)]);
  layer(net.add("Relu", [layer("x", 784, 256)]), 256, 10);
}

const pixels = [1, 3, 224, 224];

// biome-ignore format: a table
const nets: readonly { readonly name: string; readonly shape: readonly number[]; readonly write: (net: Net) => void }[] = [
  { name: "ResNet50, 224²",    shape: pixels,   write: resnet50 },
  { name: "SqueezeNet, 224²",  shape: pixels,   write: squeezenet },
  { name: "MobileNet v2, 224²", shape: pixels,  write: mobilenet },
  { name: "net 784-256-10",    shape: [1, 784], write: digits },
];

/** A net as a file, with an input for it. */
export interface NetFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly inputs: Readonly<Record<string, NetInput>>;
}

export interface NetInput {
  readonly shape: readonly number[];
  readonly cells: Float32Array | BigInt64Array;
}

/** The nets, each made when its turn comes: they have up to 100 MB of weights. */
export const netMakers: readonly { readonly name: string; readonly make: () => NetFile }[] = nets.map(
  ({ name, shape, write }) => ({
    name,
    make: () => {
      const count = shape.reduce((all, each) => all * each, 1);
      const cells = new Draw(3).floats(count, -1, 1);
      const net = new Net();
      write(net);
      return { name, bytes: net.bytes(arrayOf(shape, cells)), inputs: { x: { shape, cells } } };
    },
  }),
);
