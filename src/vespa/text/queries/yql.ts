/**
 * The condition of a YQL query as a tree: what stands behind `where`, up to what sorts, limits and groups. A text that
 * is no condition, or one of more levels than anybody writes, has no tree: then nothing is known of its terms.
 */
export type Condition =
  /** `and`, `or`, `rank`, `weakAnd`, `not`, and any other call whose arguments are conditions. */
  | {
      readonly kind: "call";
      readonly name: string;
      readonly arguments: readonly Condition[];
      readonly annotations: Annotations;
    }
  /** `title contains …`, `price > 3`; calls on the right side, such as `phrase(…)`, are operands. */
  | {
      readonly kind: "comparison";
      readonly field: string;
      readonly operator: string;
      readonly operand: Condition;
    }
  /** A text, a number, a parameter (`@name`), or the name of a field. */
  | {
      readonly kind: "leaf";
      readonly type: "text" | "number" | "parameter" | "word";
      readonly text: string;
      readonly annotations: Annotations;
    };

export type ConditionCall = Extract<Condition, { readonly kind: "call" }>;
export type ConditionLeaf = Extract<Condition, { readonly kind: "leaf" }>;

/** What braces before an operator say: `{weight: 200, label: "a"}`; of `{connectivity: {id: 1}}` it is `connectivity.id`. */
export type Annotations = ReadonlyMap<string, string>;

const none: Annotations = new Map();

/** How many conditions may stand in each other. */
const mostLevels = 100;

/** Texts, names with dots, numbers, parameters, signs. */
const token =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(@\w+)|(-?(?:Infinity|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?))[lL]?(?![\w.])|([A-Za-z_][\w.$-]*)|([<>]=?|!=|[(){}[\],:=!;|]))/y;

interface Token {
  readonly type: "text" | "parameter" | "number" | "word" | "sign" | "end";
  readonly text: string;
}

const end: Token = { type: "end", text: "" };

/** Whether a token is one of these signs, and not a text that has the same characters. */
const isSign = (token: Token | undefined, ...signs: readonly string[]): boolean =>
  token?.type === "sign" && signs.includes(token.text);

/** The condition of a query; nothing where it has none, or where it cannot be read. */
export function conditionOf(yql: string): Condition | undefined {
  const where = /\bwhere\b/i.exec(yql);
  const tokens = where === null ? undefined : tokensOf(yql, where.index + where[0].length);
  return tokens === undefined ? undefined : new Parser(tokens).condition();
}

/** Nothing where some sign belongs to no token. */
function tokensOf(text: string, start: number): Token[] | undefined {
  const tokens: Token[] = [];
  token.lastIndex = start;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [, literal, parameter, number, word, sign = ""] = found;
    if (literal !== undefined) tokens.push({ type: "text", text: unescaped(literal.slice(1, -1)) });
    else if (parameter !== undefined) tokens.push({ type: "parameter", text: parameter.slice(1) });
    else if (number !== undefined) tokens.push({ type: "number", text: number });
    else if (word !== undefined) tokens.push({ type: "word", text: word });
    // What follows groups the hits.
    else if (sign === "|" || sign === ";") return tokens;
    else tokens.push({ type: "sign", text: sign });
    start = token.lastIndex;
  }
  return text.slice(start).trim() === "" ? tokens : undefined;
}

/** What the letters behind a backslash stand for. */
const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, sign = "") =>
    code === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Words that end a condition. */
const behind = new Set(["order", "limit", "offset", "timeout"]);
const comparing = new Set(["=", "<", ">", "<=", ">=", "!="]);
const comparingWords = new Set(["contains", "matches", "in"]);

/** The names and values of braces, those within others behind a point; in brackets pairs of numbers. */
function pairsOf(tokens: readonly Token[]): Annotations {
  const pairs = new Map<string, string>();
  const names: string[] = [];
  for (const [at, token] of tokens.entries()) {
    const [next, value, last] = tokens.slice(at + 1, at + 4);
    if (isSign(token, "}")) names.pop();
    if (isSign(token, "{") && !isSign(tokens[at - 1], ":")) names.push("");
    const isPair = isSign(token, "[") && next?.type === "number" && isSign(value, ",");
    if (isPair && last?.type === "number") pairs.set(next.text, last.text);
    if (token.type === "sign" || !isSign(next, ":") || value === undefined) continue;
    if (isSign(value, "{")) names.push(token.text);
    else if (value.type !== "sign")
      pairs.set([...names, token.text].filter((each) => each !== "").join("."), value.text);
  }
  return pairs;
}

/** Annotations before a condition are about all terms in it; of several before the same condition, the first count most. */
function annotated(condition: Condition, annotations: Annotations): Condition {
  if (annotations.size === 0) return condition;
  if (condition.kind === "comparison")
    return { kind: "call", name: "and", arguments: [condition], annotations };
  return { ...condition, annotations: new Map([...condition.annotations, ...annotations]) };
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  condition(): Condition | undefined {
    const found = this.any(0);
    const { type, text } = this.next;
    return type === "end" || (type === "word" && behind.has(text.toLowerCase())) ? found : undefined;
  }

  private get next(): Token {
    return this.tokens[this.at] ?? end;
  }

  private takes(text: string): boolean {
    const { type, text: found } = this.next;
    const isTaken = (type === "sign" || type === "word") && found.toLowerCase() === text;
    if (isTaken) this.at++;
    return isTaken;
  }

  /** Annotations before a condition are about all that is joined by `and` and `or`, up to the next comma or parenthesis. */
  private any(level: number): Condition | undefined {
    const annotations = this.annotations();
    const found =
      annotations && this.joined("or", level, () => this.joined("and", level, () => this.one(level)));
    return found === undefined || annotations === undefined ? undefined : annotated(found, annotations);
  }

  private joined(
    name: "and" | "or",
    level: number,
    read: (level: number) => Condition | undefined,
  ): Condition | undefined {
    const parts: Condition[] = [];
    do {
      const part = read(level);
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.takes(name));
    const [only] = parts;
    return parts.length === 1 ? only : { kind: "call", name, arguments: parts, annotations: none };
  }

  private one(level: number): Condition | undefined {
    if (level > mostLevels) return undefined;
    if (this.takes("!")) {
      const part = this.one(level + 1);
      return part === undefined
        ? undefined
        : { kind: "call", name: "not", arguments: [part], annotations: none };
    }
    const annotations = this.annotations();
    if (annotations === undefined) return undefined;
    if (this.takes("(")) return this.inParentheses(annotations, level);
    const { type, text } = this.next;
    if (type !== "word") return type === "end" ? undefined : this.leaf(annotations);
    this.at++;
    if (this.takes("(")) return this.call(text, annotations, level);
    const operator = this.next.text.toLowerCase();
    const isComparison = this.next.type === "sign" ? comparing.has(operator) : comparingWords.has(operator);
    if (!isComparison) return { kind: "leaf", type: "word", text, annotations };
    this.at++;
    const operand = operator === "in" ? this.list(level + 1) : this.one(level + 1);
    if (operand === undefined) return undefined;
    return annotated({ kind: "comparison", field: text, operator, operand }, annotations);
  }

  private leaf(annotations: Annotations): Condition | undefined {
    const { type, text } = this.next;
    if (type !== "text" && type !== "number" && type !== "parameter") return undefined;
    this.at++;
    return { kind: "leaf", type, text, annotations };
  }

  /** Annotations before parentheses belong to what is in them. */
  private inParentheses(annotations: Annotations, level: number): Condition | undefined {
    const found = this.any(level + 1);
    if (found === undefined || !this.takes(")")) return undefined;
    return annotated(found, annotations);
  }

  private call(name: string, annotations: Annotations, level: number): Condition | undefined {
    const parts: Condition[] = [];
    while (!this.takes(")")) {
      if (parts.length > 0 && !this.takes(",")) return undefined;
      const part = isSign(this.next, "[", "{") ? this.group(level + 1) : this.any(level + 1);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return { kind: "call", name, arguments: parts, annotations };
  }

  /** A value in braces or brackets, or a condition that begins with annotations. */
  private group(level: number): Condition | undefined {
    const start = this.at;
    const weights = this.annotations();
    if (weights !== undefined && isSign(this.next, ",", ")"))
      return { kind: "leaf", type: "word", text: "", annotations: weights };
    this.at = start;
    return this.any(level);
  }

  private list(level: number): Condition | undefined {
    if (this.takes("(")) return this.call("in", none, level);
    return this.leaf(none);
  }

  /** `{name: value, …}` or `[{…}]`; nothing where braces do not close. */
  private annotations(): Annotations | undefined {
    if (!isSign(this.next, "{", "[")) return none;
    const start = this.at;
    return this.skipGroup() ? pairsOf(this.tokens.slice(start, this.at)) : undefined;
  }

  private skipGroup(): boolean {
    let depth = 0;
    do {
      if (this.next.type === "end") return false;
      if (isSign(this.next, "{", "[")) depth++;
      if (isSign(this.next, "}", "]")) depth--;
      this.at++;
    } while (depth > 0);
    return true;
  }
}
