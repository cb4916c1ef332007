/**
 * The statements of earlier sessions, in a file that several sessions may share: each appends its own as they come, and one
 * that finds the file too long shortens it when it starts. All lines of a statement but the first begin with a tab. Where the file cannot be read or written, a session goes on
 * without it.
 */
export interface HistoryFile {
  readonly read: () => string;
  readonly append: (text: string) => void;
  readonly replace: (text: string) => void;
}

/** The most lines that are retained; the file may be twice as long. */
const mostLines = 1000;

/** A longer line is data rather than something to type again. */
const longestLine = 4000;

export class History {
  private newest: string | undefined;

  constructor(
    private readonly file: HistoryFile | undefined,
    private readonly most = mostLines,
  ) {}

  /** The statements of earlier sessions, the newest first. */
  earlier(): string[] {
    const statements = attempt(() => this.file?.read() ?? "", "")
      .split(/\n(?!\t)/)
      .map((each) => each.replaceAll("\n\t", "\n"))
      .filter((each) => each.trim() !== "");
    const retained = statements.slice(-this.most);
    if (statements.length > 2 * this.most) {
      attempt(() => this.file?.replace(retained.map(written).join("")), undefined);
    }
    this.newest = retained.at(-1);
    return retained.reverse();
  }

  /** Keeps a statement, unless it is blank, data, or the same as the one before. */
  add(line: string): void {
    if (line.trim() === "" || line.length > longestLine || line === this.newest) return;
    this.newest = line;
    attempt(() => this.file?.append(written(line)), undefined);
  }
}

const written = (statement: string): string => `${statement.replaceAll("\n", "\n\t")}\n`;

function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** The path of the file, among the state of other programs; undefined without a home folder. */
export function historyPath(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_STATE_HOME: state = "", HOME: home = "" } = env;
  const folder = state.startsWith("/") ? state : home === "" ? undefined : `${home}/.local/state`;
  return folder === undefined ? undefined : `${folder}/sphex/history`;
}
