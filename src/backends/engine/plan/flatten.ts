import { type Arena, type Block, MemoryFull } from "../arena.js";
import { type Access, type Along, distanceAlong, type Instruction, type Table } from "../loop.js";
import { composed, isIdentity, type Place, type Source } from "./value.js";

/** The body of a loop over some axes, and the cells that it reads. */
export interface Body {
  readonly sources: readonly Access[];
  readonly instructions: readonly Instruction[];
}

/** Makes a body of a source whose axes are those of the loop; equal parts of it become one instruction. */
export function bodyOf(source: Source, axes: number, tables: Tables): Body {
  return new Flattening(axes, tables).body(source);
}

class Flattening {
  private readonly sources: Access[] = [];
  private readonly instructions: Instruction[] = [];
  private readonly known = new Map<Source, Map<string, number>>();
  private readonly shared = new Map<string, number>();

  constructor(
    private readonly axes: number,
    private readonly tables: Tables,
  ) {}

  body(source: Source): Body {
    this.at(source, undefined);
    // The value is the last instruction; it may be an earlier one when the source is a part of itself seen otherwise.
    return { sources: this.sources, instructions: this.instructions };
  }

  /** The number of the instruction whose value a placed source is. */
  private at(source: Source, places: readonly Place[] | undefined): number {
    if (source.kind === "computed" && source.operation.op === "same") {
      const [input] = source.inputs;
      if (input !== undefined) return this.at(input.source, composed(input.places, places));
    }
    const key = this.keyOf(places);
    const placed = this.known.get(source) ?? new Map<string, number>();
    this.known.set(source, placed);
    const found = placed.get(key);
    if (found !== undefined) return found;
    const made = this.make(source, places);
    placed.set(key, made);
    return made;
  }

  private make(source: Source, places: readonly Place[] | undefined): number {
    switch (source.kind) {
      case "constant":
        return this.instruction({ op: "constant", value: source.value });
      case "place": {
        const place = places === undefined ? { axis: source.axis } : places[source.axis];
        if (place === undefined) throw new Error("an axis has no place");
        if ("at" in place) return this.instruction({ op: "constant", value: place.at });
        if (place.rows === undefined) return this.instruction({ op: "place", axis: place.axis });
        return this.read(this.tables.values(place.rows), place.axis);
      }
      case "stored":
        return this.access(this.placedAccess(source.access, places));
      case "computed": {
        const inputs = source.inputs.map((input) => this.at(input.source, composed(input.places, places)));
        return this.instruction(instructionOf(source.operation, inputs));
      }
    }
  }

  private read(access: Access, axis: number): number {
    const steps = new Array<Along>(this.axes).fill(0);
    steps[axis] = 1;
    return this.access({ ...access, steps });
  }

  private access(access: Access): number {
    const key = accessKey(access, this.tables);
    const known = this.shared.get(key);
    if (known !== undefined) return known;
    this.sources.push(access);
    const at = this.instructions.push({ op: "read", source: this.sources.length - 1 }) - 1;
    this.shared.set(key, at);
    return at;
  }

  private instruction(instruction: Instruction): number {
    const key = instructionKey(instruction);
    const known = this.shared.get(key);
    if (known !== undefined) return known;
    const at = this.instructions.push(instruction) - 1;
    this.shared.set(key, at);
    return at;
  }

  /** The same cells, with a step for each axis of the loop. */
  private placedAccess(access: Access, places: readonly Place[] | undefined): Access {
    if (places === undefined) return access;
    const steps = new Array<Along>(this.axes).fill(0);
    let { offset } = access;
    for (const [at, place] of places.entries()) {
      const step = access.steps[at] ?? 0;
      if ("at" in place) offset += distanceAlong(step, place.at);
      else steps[place.axis] = this.tables.sum(steps[place.axis] ?? 0, this.tables.along(step, place.rows));
    }
    return { ...access, offset, steps };
  }

  private keyOf(places: readonly Place[] | undefined): string {
    if (places === undefined || (places.length === this.axes && places.every(isIdentity))) return "";
    return places
      .map((place) => ("at" in place ? `=${place.at}` : `${place.axis}:${this.tables.identity(place.rows)}`))
      .join();
  }
}

function instructionOf(
  operation: Extract<Source, { kind: "computed" }>["operation"],
  inputs: readonly number[],
): Instruction {
  const [first = 0, yes = 0, no = 0] = inputs;
  switch (operation.op) {
    case "apply":
      return { op: "apply", function: operation.function, arguments: inputs };
    case "select":
      return { op: "select", condition: first, yes, no };
    case "store":
      return { op: "store", cellType: operation.cellType, value: first };
    case "same":
      throw new Error("a source that is another's has no instruction");
  }
}

/** −0 is not 0, and JSON would not tell them apart. */
const instructionKey = (instruction: Instruction): string =>
  instruction.op === "constant"
    ? `constant ${Object.is(instruction.value, -0) ? "-0" : instruction.value}`
    : JSON.stringify(instruction);

const accessKey = ({ slot, offset, steps }: Access, tables: Tables): string =>
  `read ${tables.identity(slot)} ${offset} ${steps.map((step) => (typeof step === "number" ? step : `t${tables.identity(step)}`))}`;

/** The tables of accesses: each is made once, however many loops use it. */
export class Tables {
  private readonly byRows = new WeakMap<Int32Array, Map<string, Along>>();
  private readonly sums = new WeakMap<Table, Map<string, Table>>();
  private readonly asValues = new WeakMap<Int32Array, Access>();
  private readonly numbers = new WeakMap<object, number>();
  private count = 0;
  readonly blocks: Block[] = [];

  constructor(private readonly arena: Arena) {}

  /** A number that is the same for the same object only; 0 for none. */
  identity(of: object | undefined): number {
    if (of === undefined) return 0;
    const known = this.numbers.get(of) ?? ++this.count;
    this.numbers.set(of, known);
    return known;
  }

  /** The step along an axis whose places are rows of the axis with this step. */
  along(step: Along, rows: Int32Array | undefined): Along {
    if (rows === undefined || step === 0) return step;
    const known = this.byRows.get(rows) ?? new Map<string, Along>();
    this.byRows.set(rows, known);
    const key = typeof step === "number" ? `${step}` : `t${this.identity(step)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const table = this.table(rows.map((row) => distanceAlong(step, row)));
    known.set(key, table);
    return table;
  }

  /** The step along an axis that stands for two. */
  sum(left: Along, right: Along): Along {
    if (left === 0) return right;
    if (right === 0) return left;
    if (typeof left === "number") return typeof right === "number" ? left + right : this.sum(right, left);
    const known = this.sums.get(left) ?? new Map<string, Table>();
    this.sums.set(left, known);
    const key = typeof right === "number" ? `${right}` : `t${this.identity(right)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const cells = left.block.cells as Int32Array; // tables are of cell type int
    const table = this.table(cells.map((distance, place) => distance + distanceAlong(right, place)));
    known.set(key, table);
    return table;
  }

  /** The rows themselves, as cells to be read. */
  values(rows: Int32Array): Access {
    const known = this.asValues.get(rows);
    if (known !== undefined) return known;
    const access: Access = { slot: this.table(rows), cellType: "int", offset: 0, steps: [1] };
    this.asValues.set(rows, access);
    return access;
  }

  private table(distances: Int32Array): Table {
    const block = this.arena.allocate("int", distances.length);
    if (block === undefined) throw new MemoryFull();
    (block.cells as Int32Array).set(distances); // of cell type int
    this.blocks.push(block);
    return { block };
  }
}
