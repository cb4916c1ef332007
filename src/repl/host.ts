/** What a session's host provides beyond the library's options, where it can. */
export interface SessionHost {
  /** The text of a file that the user names; by default as programs read theirs. @throws Error whose message is the reason. */
  readonly readFile?: (path: string) => string;
  /** Writes a file. @throws Error whose message is the reason in plain words. */
  readonly writeFile?: (path: string, text: string) => void;
  /** How many lines the screen has, where there is one. */
  readonly rows?: () => number | undefined;
  /** Opens a text in an editor; returns the edited text. */
  readonly edit?: (text: string) => string;
}
