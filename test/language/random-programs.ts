import { uniform } from "../../src/index.js";

/**
 * Programs that draw random numbers and call a function of the host that is not pure, wherever an expression may stand: in
 * branches that a run may take or not, in bodies, beside what is computed once, in values that several others read, and in the
 * default of an input. `t` is a number, `u` has two cells, `q` has a default, and `h(x)` tells how often it was called before.
 */
export function randomProgram(seed: number): string {
  return new RandomProgram(uniform(seed)).text();
}

/** Names of numbers that an expression may read, beside those of the program. */
type Names = readonly string[];
type Make = (depth: number, names: Names) => string;

class RandomProgram {
  private readonly numbers: string[] = [];
  private readonly rows: string[] = [];
  private parameters = 0;

  constructor(private readonly next: () => number) {}

  text(): string {
    const lines = ["input t: tensor()", "input u: tensor(z[2])"];
    lines.push(`input q: tensor() = ${this.one("reduce(random(y[3]), max)", "2")}`);
    const depth = this.one(1, 2, 2, 3);
    for (let at = this.one(0, 1, 2, 3); at > 0; at--) {
      const isNumber = this.next() < 0.6;
      const name = `v${at}`;
      lines.push(`${name} = ${isNumber ? this.number(depth, []) : this.row(depth, [])}`);
      (isNumber ? this.numbers : this.rows).push(name);
    }
    for (let at = this.one(1, 1, 2, 3); at > 0; at--)
      lines.push(this.one(this.number, this.row, this.row, this.labelled)(depth, []));
    return lines.join("\n");
  }

  private one<T>(...options: readonly T[]): T {
    const chosen = options[Math.floor(this.next() * options.length)];
    if (chosen === undefined) throw new Error("there is one at least");
    return chosen;
  }

  private condition(depth: number, names: Names): string {
    return `(${this.number(depth, names)} ${this.one("<", ">")} ${this.number(0, names)})`;
  }

  /** A lambda of so many parameters, which may see those alone. */
  private lambda(count: number, depth: number): string {
    const names = Array.from({ length: count }, () => `p${this.parameters++}`);
    return `f(${names.join()})(${this.number(depth, names)})`;
  }

  private choice(make: Make, depth: number, names: Names): string {
    return `if(${this.condition(depth, names)}, ${make(depth, names)}, ${make(depth, names)})`;
  }

  /** A generator of a body that sees its indexes. */
  private generated(dimensions: Names, depth: number, names: Names): string {
    const sizes = dimensions.map((name) => `${name}[2]`).join();
    return `tensor(${sizes})(${this.number(depth, [...names, ...dimensions, ...dimensions])})`;
  }

  /** A cell at labels that are numbers, of which others may read some too. */
  private looked(depth: number, names: Names): string {
    const labels = `j:(${this.number(0, names)}), k:(${this.number(this.one(0, 0, depth), names)})`;
    const [first, second] = [this.number(depth, names), this.number(0, names)];
    const table = `tensor(j{},k{}):{0:{0:${first}},1:{1:${second}},5:{2:1}}`;
    return this.one(
      () => `${table}{${labels}}`,
      () => `reduce((${table} * ${this.row(depth, names)}){${labels}}, sum)`,
    )();
  }

  private readonly number: Make = (depth, names) => {
    if (depth <= 0) {
      const own = ["1", "t", "q", "h(t)", "random(1.0)", "reduce(random(y[2]), max)"];
      return this.one(...own, ...names, ...names, ...this.numbers, ...this.numbers);
    }
    const [less, { number, row, labelled }] = [depth - 1, this];
    return this.one(
      () => number(0, names),
      () => `(${number(less, names)} ${this.one("+", "-", "*")} ${number(less, names)})`,
      () => this.choice(number, less, names),
      () => this.choice(number, less, names),
      () => `h(${number(less, names)})`,
      () => `reduce(${row(less, names)}, ${this.one("sum", "max", "median")})`,
      () => `reduce(${labelled(less, names)}, ${this.one("sum", "count")})`,
      () => `${row(less, names)}{z:(${number(less, names)} > 1)}`,
      () => `${labelled(less, names)}{k:a}`,
      () =>
        `tensor(k{}):{0:${number(less, names)}, 1:${number(less, names)}}{k:(${number(less, names)} > 1)}`,
      () => this.looked(less, names),
      () => this.looked(less, names),
      () => `reduce(${this.generated(["z", "y"], less, names)}, ${this.one("max", "median")})`,
      () => `reduce(concat(${row(less, names)}, ${row(less, names)}, ${this.one("z", "c")}), max)`,
      () => `reduce(rename(${row(less, names)}, z, y) * ${row(less, names)}, max)`,
    )();
  };

  /** A tensor of two cells along z. */
  private readonly row: Make = (depth, names) => {
    if (depth <= 0) return this.one("random(z[2])", "u", "tensor(z[2])(z)", ...this.rows, ...this.rows);
    const [less, { number, row }] = [depth - 1, this];
    return this.one(
      () => row(0, names),
      () => this.generated(["z"], less, names),
      () => this.generated(["z"], less, names),
      () => `map(${row(less, names)}, ${this.lambda(1, less)})`,
      () => `join(${row(less, names)}, ${row(less, names)}, ${this.lambda(2, less)})`,
      () => `merge(${row(less, names)}, ${row(less, names)}, ${this.lambda(2, less)})`,
      () => this.choice(row, less, names),
      () => `(${row(less, names)} + ${number(less, names)})`,
      () => `reduce(${this.generated(["z", "y"], less, names)}, ${this.one("max", "median")}, y)`,
      () => `cell_cast(${row(less, names)}, float)`,
      () => `tensor(z[2]):[${number(less, names)}, ${number(less, names)}]`,
    )();
  };

  /** A tensor of labels along k. */
  private readonly labelled: Make = (depth, names) => {
    const [less, { number, labelled }] = [Math.max(0, depth - 1), this];
    const literal = (): string => `tensor(k{}):{a:${number(less, names)}, b:${number(less, names)}}`;
    if (depth <= 0) return literal();
    return this.one(
      literal,
      () => `filter_subspaces(${labelled(less, names)}, ${this.lambda(1, less)})`,
      () => `map_subspaces(${labelled(less, names)}, ${this.lambda(1, less)})`,
      () => `map(${labelled(less, names)}, ${this.lambda(1, less)})`,
      () => `top(1, ${labelled(less, names)})`,
      () => `merge(${labelled(less, names)}, ${labelled(less, names)}, ${this.lambda(2, less)})`,
      () => `join(${labelled(less, names)}, ${labelled(less, names)}, ${this.lambda(2, less)})`,
      () => this.choice(labelled, less, names),
    )();
  };
}
