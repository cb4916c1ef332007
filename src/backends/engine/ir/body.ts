import { element } from "../../../language/values/element.js";
import type { Instruction } from "../loop.js";
import { evenRows, isTable, type Progression } from "../values/rows.js";
import { composed, isIdentity } from "../values/source.js";
import { offsetAlong, type Tables } from "../values/tables.js";
import type { AxisImage, BufferAccess, BufferStride, ScalarOperation, Source } from "../values/value.js";

/** The body of a loop over some axes, and the cells that it reads. */
export interface Body {
  readonly sources: readonly BufferAccess[];
  readonly instructions: readonly Instruction[];
}

/** Sources may be nested so deeply: a body is made by recursion. */
export const maximumDepth = 300;

/** Makes a body of a source whose axes are those of the loop; equal parts of it become one instruction. */
export function bodyOf(source: Source, axes: number, tables: Tables): Body {
  return new BodyBuilder(axes, tables).body(source);
}

class BodyBuilder {
  private readonly sources: BufferAccess[] = [];
  private readonly instructions: Instruction[] = [];
  private readonly numbers = new Map<Source, Map<string, number>>();
  private readonly shared = new Map<string, number>();

  constructor(
    private readonly axes: number,
    private readonly tables: Tables,
  ) {}

  body(source: Source): Body {
    const value = this.at(source, undefined);
    // The value is the last instruction; it may be an earlier one when the source is a part of itself viewed otherwise.
    if (value !== this.instructions.length - 1)
      throw new Error("the value of a body is not its last instruction");
    return { sources: this.sources, instructions: this.instructions };
  }

  /** The number of the instruction whose value a source is, viewed through images of its axes. */
  private at(source: Source, images: readonly AxisImage[] | undefined): number {
    if (source.kind === "computed" && source.operation.op === "view") {
      const [operand] = source.operands;
      if (operand !== undefined) return this.at(operand.source, composed(operand.images, images));
    }
    const key = this.keyOf(images);
    const viewed = this.numbers.get(source) ?? new Map<string, number>();
    this.numbers.set(source, viewed);
    const existing = viewed.get(key);
    if (existing !== undefined) return existing;
    const created = this.emit(source, images);
    viewed.set(key, created);
    return created;
  }

  private emit(source: Source, images: readonly AxisImage[] | undefined): number {
    switch (source.kind) {
      case "constant":
        return this.instruction({ op: "constant", value: source.value });
      case "index": {
        const image = images === undefined ? { axis: source.axis } : element(images, source.axis);
        if ("at" in image) return this.instruction({ op: "constant", value: image.at });
        if (image.rows === undefined) return this.instruction({ op: "index", axis: image.axis });
        if (isTable(image.rows)) return this.read(this.tables.cells(image.rows), image.axis);
        return this.progression(image.rows, image.axis);
      }
      case "stored":
        return this.access(this.viewedAccess(source.access, images));
      case "computed": {
        const operands = source.operands.map((each) => this.at(each.source, composed(each.images, images)));
        return this.instruction(instructionOf(source.operation, operands));
      }
    }
  }

  private read(access: BufferAccess, axis: number): number {
    const strides = new Array<BufferStride>(this.axes).fill(0);
    strides[axis] = 1;
    return this.access({ ...access, strides });
  }

  /** The rows as numbers: none is -0, which 0 is added to as well. */
  private progression({ first, step }: Progression, axis: number): number {
    const index = this.instruction({ op: "index", axis });
    const factor = this.instruction({ op: "constant", value: step });
    const distance = this.instruction({ op: "apply", function: "multiply", arguments: [index, factor] });
    const start = this.instruction({ op: "constant", value: first });
    return this.instruction({ op: "apply", function: "add", arguments: [distance, start] });
  }

  private access(access: BufferAccess): number {
    const key = accessKey(access, this.tables);
    const existing = this.shared.get(key);
    if (existing !== undefined) return existing;
    this.sources.push(access);
    const at = this.instructions.push({ op: "read", source: this.sources.length - 1 }) - 1;
    this.shared.set(key, at);
    return at;
  }

  private instruction(instruction: Instruction): number {
    const key = instructionKey(instruction);
    const existing = this.shared.get(key);
    if (existing !== undefined) return existing;
    const at = this.instructions.push(instruction) - 1;
    this.shared.set(key, at);
    return at;
  }

  /** The same cells, with a stride for each axis of the loop. */
  private viewedAccess(access: BufferAccess, images: readonly AxisImage[] | undefined): BufferAccess {
    if (images === undefined) return access;
    const strides = new Array<BufferStride>(this.axes).fill(0);
    let { offset } = access;
    for (const [at, image] of images.entries()) {
      const stride = element(access.strides, at);
      if ("at" in image) {
        offset += offsetAlong(stride, image.at);
        continue;
      }
      const along = this.tables.along(stride, image.rows);
      offset += along.first;
      strides[image.axis] = this.tables.sum(element(strides, image.axis), along.stride);
    }
    for (const [axis, stride] of strides.entries()) {
      const even = typeof stride === "number" ? undefined : evenRows(stride);
      if (even === undefined) continue;
      offset += even.first;
      strides[axis] = even.step;
    }
    return { ...access, offset, strides };
  }

  private keyOf(images: readonly AxisImage[] | undefined): string {
    if (images === undefined || (images.length === this.axes && images.every(isIdentity))) return "";
    return images
      .map((image) => ("at" in image ? `=${image.at}` : `${image.axis}:${this.tables.keyOfRows(image.rows)}`))
      .join();
  }
}

function instructionOf(operation: ScalarOperation, operands: readonly number[]): Instruction {
  switch (operation.op) {
    case "apply":
      return { op: "apply", function: operation.function, arguments: operands };
    case "select":
      return {
        op: "select",
        condition: element(operands, 0),
        yes: element(operands, 1),
        no: element(operands, 2),
      };
    case "store":
      return { op: "store", cellType: operation.cellType, value: element(operands, 0) };
    case "view":
      throw new Error("a view has no instruction of its own");
  }
}

/** What only equal instructions have in common. */
function instructionKey(instruction: Instruction): string {
  switch (instruction.op) {
    case "read":
      return `read source ${instruction.source}`;
    case "constant":
      // -0 is not 0.
      return Object.is(instruction.value, -0) ? "constant -0" : `constant ${instruction.value}`;
    case "index":
      return `index ${instruction.axis}`;
    case "apply":
      return `${instruction.function} ${instruction.arguments.join(" ")}`;
    case "select":
      return `if ${instruction.condition} ${instruction.yes} ${instruction.no}`;
    case "store":
      return `store ${instruction.cellType} ${instruction.value}`;
  }
}

const accessKey = ({ slot, offset, strides }: BufferAccess, tables: Tables): string =>
  `read ${tables.identity(slot)} ${offset} ${strides.map((stride) => (typeof stride === "number" ? stride : `t${tables.identity(stride)}`))}`;
