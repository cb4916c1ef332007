import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The command at a real terminal: a window of tmux, which a test types into and whose screen it reads. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;
if (!hasTmux)
  console.info("tmux is not installed here: the tests of the REPL at a real terminal are left out.");

const command = fileURLToPath(new URL("../../bin/sphex.js", import.meta.url));

export class Terminal {
  private readonly socket = `sphex-test-${randomUUID()}`;

  /** A window in which the REPL starts; its home is an empty folder. */
  constructor(columns: number, rows: number, home: string, environment: readonly string[] = []) {
    const own = [`HOME=${home}`, "TERM=tmux-256color", "LANG=C.UTF-8", ...environment];
    const program = ["env", ...own, process.execPath, command, "repl"];
    const size = ["-x", `${columns}`, "-y", `${rows}`];
    this.tmux("-u", "-f", "/dev/null", "new-session", "-d", ...size, "-c", home, ...program);
  }

  /** What stands on the screen and above it, without colours. */
  get text(): string {
    return this.tmux("capture-pane", "-p", "-S", "-").trimEnd();
  }

  /** The rows that can be seen, with the sequences that colour them. */
  get colours(): string {
    return this.tmux("capture-pane", "-p", "-e").trimEnd();
  }

  /** The row and the column of the cursor, from 0. */
  get cursor(): string {
    return this.tmux("display-message", "-p", "#{cursor_y} #{cursor_x}").trim();
  }

  /** Types a text, without entering it. */
  type(text: string): void {
    this.tmux("send-keys", "-l", "--", text);
  }

  /** Presses keys by their names in tmux: `Enter`, `Up`, `C-r`. */
  press(...keys: readonly string[]): void {
    this.tmux("send-keys", ...keys);
  }

  /** Pastes a text as terminals do: marked, so that it is read as a whole. */
  paste(text: string): void {
    execFileSync("tmux", ["-L", this.socket, "load-buffer", "-"], { input: text });
    this.tmux("paste-buffer", "-p", "-d");
  }

  /** Enters a line, and waits for the prompt behind what it prints. */
  async enter(line: string): Promise<void> {
    const { text } = this;
    this.type(line);
    this.press("Enter");
    await this.until((now) => now !== text && /(?:^|\n)[>…]$/.test(now));
  }

  resize(columns: number, rows: number): void {
    this.tmux("resize-window", "-x", `${columns}`, "-y", `${rows}`);
  }

  /** Waits for a text on the screen. */
  async shows(part: string): Promise<void> {
    await this.until((text) => text.includes(part));
  }

  /** Waits for a screen: however long a busy machine takes, up to the patience of the test. */
  async until(isReached: (text: string) => boolean): Promise<void> {
    while (!isReached(this.text)) await after(30);
  }

  /** Whether the session is over, since its program has ended. */
  get isOver(): boolean {
    return spawnSync("tmux", ["-L", this.socket, "has-session"]).status !== 0;
  }

  close(): void {
    spawnSync("tmux", ["-L", this.socket, "kill-server"]);
  }

  private tmux(...args: readonly string[]): string {
    return execFileSync("tmux", ["-L", this.socket, ...args], { encoding: "utf8" });
  }
}
