import { postOrder } from "../source/depth-first.js";
import { element } from "../values/element.js";
import { isAtom, operand, operationText, partsOfGenerator, type TextContext } from "./operation-text.js";
import { inputsOf, type Lambda, type Node, visit } from "./operations.js";

/**
 * A core graph as text: a line for each node, which follows the lines of what it computes from.
 *
 *     %0 = input q : tensor(x[3])
 *     %1 = map %0 (a) -> exp(a) : tensor(x[3])
 *     %2 = reduce %1 sum over x : tensor()
 *     return %2
 *
 * Numbers and parameters stand where they are used: `a` and `b` are those of a lambda, `i0` and `i1` the indexes of a
 * generator, `j0` those of one inside it. A small body stands with its operation. Any other lambda is a function after the
 * rest, `@0`, whose parameters are numbered like nodes; and the nodes of any other generator's body are lines of the graph
 * around it, indented by the generators whose indexes they depend on. So whatever is not small is written once, the text
 * grows with the graph and not with the ways through it, and no graph is too deep.
 */
export const coreText = (roots: readonly Node[]): string => new CorePrinter().text(roots);

/** A node by itself, for messages: what it computes from is named by the numbers that its graph gave. */
export function nodeText(node: Node): string {
  const nameOfNode = ({ id }: Node): string => `%${id}`;
  const text = operationText(node, { nameOfNode, function: ({ body }) => `@${body.id}` });
  return `${nameOfNode(node)} = ${text} : ${node.type}`;
}

interface NamedLambda {
  readonly name: string;
  readonly lambda: Lambda;
}

class CorePrinter {
  /** The lambdas that are not small, by what equal ones have in common. */
  private readonly functions = new Map<string, NamedLambda>();
  private count = 0;

  text(roots: readonly Node[]): string {
    const lines = this.graph(roots);
    // What is printed of one function may name more of them, which then follow.
    for (const each of this.functions.values()) for (const line of this.function(each)) lines.push(line);
    return lines.join("\n");
  }

  private function({ name, lambda }: NamedLambda): string[] {
    const names = lambda.parameters.map(() => this.next());
    const typed = lambda.parameters.map((type, at) => `${names[at]} : ${type}`);
    const body = this.graph([lambda.body], (position) => element(names, position));
    return ["", `${name} = (${typed.join(", ")}) -> {`, ...body.map((line) => `  ${line}`), "}"];
  }

  /** The lines of a closed graph; `parameter` names those of the lambda that it is, if it is one. */
  private graph(roots: readonly Node[], parameter?: (position: number) => string): string[] {
    const names = new Map<Node, string>();
    const nameOfNode = (node: Node): string => names.get(node) ?? "";
    const named = (lambda: Lambda): string => this.nameOf(lambda);
    const context: TextContext = { nameOfNode, function: named, ...(parameter && { parameter }) };
    const lines = inOrder(roots).map((node) => {
      const [name, depth] = [this.next(), innermost(node) - (parameter === undefined ? 0 : 1)];
      names.set(node, name);
      const indent = "  ".repeat(Math.max(0, Math.min(depth, mostIndents)));
      return `${indent}${name} = ${operationText(node, context)} : ${node.type}`;
    });
    return [...lines, `return ${roots.map((each) => operand(each, context)).join(", ")}`];
  }

  private nameOf(lambda: Lambda): string {
    const key = `${lambda.body.id} ${lambda.parameters.join()}`;
    const named = this.functions.get(key) ?? { name: `@${this.functions.size}`, lambda };
    this.functions.set(key, named);
    return named.name;
  }

  private next(): string {
    return `%${this.count++}`;
  }
}

/** Deeper bodies are indented no further: lines would grow with their depth. */
const mostIndents = 8;

/** The innermost level of binders whose parameters a node depends on. */
const innermost = (node: Node): number => 32 - Math.clz32(node.depends);

/** The nodes that have lines, each after its operands. */
const inOrder = (roots: readonly Node[]): readonly Node[] =>
  postOrder(roots.filter(hasLine), (node) => partsOf(node).filter(hasLine));

const hasLine = (node: Node): boolean => !isAtom(node);

/** What the line of a node refers to. */
const partsOf = (node: Node): readonly Node[] =>
  (node.op === "generate" ? partsOfGenerator(node) : undefined) ?? visit(inputsOf, node);
