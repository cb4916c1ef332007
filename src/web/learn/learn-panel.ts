import { html, nothing, type TemplateResult } from "lit-html";
import { thrownText } from "../../language/source/thrown.js";
import { browserStorage } from "../browser-storage.js";
import { documentOf, type NewCell, type PageDocument } from "../document/page-document.js";
import type { Panel, PanelHost } from "../panel.js";
import type { AnswerReport } from "../panel-protocol.js";
import type { NotebookExample } from "./example.js";
import { exampleDocument } from "./example-document.js";
import { examples } from "./examples.js";
import { type Answer, answerName, type Exercise } from "./exercise.js";
import { puzzleGroups } from "./puzzles.js";
import { SolvedExercises } from "./solved-exercises.js";
import { tour } from "./tour.js";

const chapters = { examples: "Examples", tour: "Tour", puzzles: "Puzzles" } as const;
type Chapter = keyof typeof chapters;

/** Examples to look at, a tour of the paper, and puzzles. */
export class LearnPanel implements Panel {
  readonly title = "Learn";
  private chapter: Chapter = "examples";
  private step = 0;
  private puzzle: Exercise | undefined;
  private report: AnswerReport | undefined;
  /** The answer that the report is about. */
  private checked: Answer | undefined;
  private shown: "nothing" | "hint" | "solution" = "nothing";
  private readonly solved = new SolvedExercises(browserStorage());

  render(host: PanelHost): TemplateResult {
    const chapterNames = Object.entries(chapters) as [Chapter, string][]; // its keys are just these
    return html`<div class="learn">
      <div class="choice" role="group" aria-label="What to learn from">
        ${chapterNames.map(
          ([chapter, title]) => html`<button
            type="button"
            aria-pressed=${chapter === this.chapter}
            @click=${() => this.go(host, () => (this.chapter = chapter))}
          >${title}</button>`,
        )}
      </div>
      ${this.chapter === "examples" ? this.exampleList(host) : nothing}
      ${this.chapter === "tour" ? this.tourStep(host) : nothing}
      ${this.chapter === "puzzles" ? this.puzzleView(host) : nothing}
    </div>`;
  }

  private go(host: PanelHost, change: () => void): void {
    change();
    this.report = undefined;
    this.shown = "nothing";
    host.update();
  }

  private exampleList(host: PanelHost): TemplateResult {
    const open = (example: NotebookExample): void => {
      host.edit({ kind: "replace", document: exampleDocument(example) });
      host.announce(`${example.title} is on the page; undo brings back what was there.`);
    };
    return html`<ul class="entries">
      ${examples.map(
        (each) => html`<li>
          <button type="button" class="entry" @click=${() => open(each)}>
            <strong>${each.title}</strong><span>${each.description}</span>
          </button>
        </li>`,
      )}
    </ul>`;
  }

  private tourStep(host: PanelHost): TemplateResult {
    const step = tour[this.step];
    if (step === undefined) return html``;
    const to = (at: number): void => this.go(host, () => (this.step = at));
    return html`
      <p class="quiet">
        Section ${step.section} of “A tensor formalism for computer science” · ${this.step + 1} of ${tour.length}
      </p>
      <h3 class="lesson-title">${step.title}</h3>
      <sphex-remark .text=${step.text}></sphex-remark>
      ${this.exerciseView(host, step.exercise)}
      <div class="steps">
        <button type="button" ?disabled=${this.step === 0} @click=${() => to(this.step - 1)}>← Back</button>
        <button type="button" ?disabled=${this.step === tour.length - 1} @click=${() => to(this.step + 1)}>Next →</button>
      </div>
    `;
  }

  private puzzleView(host: PanelHost): TemplateResult {
    const { puzzle } = this;
    const all = puzzleGroups.flatMap(({ puzzles }) => puzzles);
    if (puzzle === undefined) return this.puzzleList(host, all.length);
    const at = all.indexOf(puzzle);
    const to = (next: Exercise | undefined): void => this.go(host, () => (this.puzzle = next));
    return html`
      <p class="quiet">Puzzle ${at + 1} of ${all.length}</p>
      ${this.exerciseView(host, puzzle)}
      <div class="steps">
        <button type="button" @click=${() => to(undefined)}>All puzzles</button>
        <button type="button" ?disabled=${at === all.length - 1} @click=${() => to(all[at + 1])}>Next →</button>
      </div>
    `;
  }

  private puzzleList(host: PanelHost, count: number): TemplateResult {
    const solved = puzzleGroups
      .flatMap(({ puzzles }) => puzzles)
      .filter(({ id }) => this.solved.has(id)).length;
    return html`
      <p>From the dot product to attention, a cell at a time. ${solved} of ${count} are solved.</p>
      ${puzzleGroups.map(
        ({ title, puzzles }) => html`<h3>${title}</h3>
          <ul class="entries short">
            ${puzzles.map(
              (each) => html`<li>
                <button type="button" class="entry" @click=${() => this.go(host, () => (this.puzzle = each))}>
                  <span>${each.title}</span>${this.solved.has(each.id) ? html`<span class="solved">solved</span>` : nothing}
                </button>
              </li>`,
            )}
          </ul>`,
      )}
    `;
  }

  private exerciseView(host: PanelHost, exercise: Exercise): TemplateResult {
    const answer = answerIn(host.document, exercise);
    const isOnPage = answer !== undefined;
    return html`<section class="exercise" aria-label="Exercise">
      <h3>${exercise.title}${this.solved.has(exercise.id) ? html` <span class="solved">solved</span>` : nothing}</h3>
      <sphex-remark .text=${exercise.task}></sphex-remark>
      <p class="goal">Goal: <code>${exercise.goal}</code></p>
      <div class="steps">
        <button type="button" class="primary" @click=${() => (isOnPage ? this.check(host, exercise) : begin(host, exercise))}>
          ${isOnPage ? "Check the answer" : "Begin"}
        </button>
        ${isOnPage ? html`<button type="button" @click=${() => begin(host, exercise)}>Begin again</button>` : nothing}
        <button type="button" aria-pressed=${this.shown === "hint"} @click=${() => this.show(host, "hint")}>Hint</button>
        <button type="button" aria-pressed=${this.shown === "solution"} @click=${() => this.show(host, "solution")}>Solution</button>
      </div>
      ${this.shown === "hint" ? html`<sphex-remark class="aside" .text=${exercise.hint}></sphex-remark>` : nothing}
      ${this.shown === "solution" ? html`<pre class="aside">${exercise.solution}</pre>` : nothing}
      ${this.report === undefined || !isSame(this.checked, answer) ? nothing : reportView(this.report)}
    </section>`;
  }

  private show(host: PanelHost, what: "hint" | "solution"): void {
    this.shown = this.shown === what ? "nothing" : what;
    host.update();
  }

  private async check(host: PanelHost, exercise: Exercise): Promise<void> {
    const answer = answerIn(host.document, exercise);
    if (answer === undefined) return;
    try {
      const report = await host.request("answer", { exercise: exercise.id, answer });
      this.report = report;
      this.checked = answer;
      if (report.isRight) this.solved.add(exercise.id);
      host.announce(report.text.replaceAll("`", ""));
    } catch (error) {
      host.announce(thrownText(error));
    }
  }
}

const reportView = ({ isRight, text }: AnswerReport): TemplateResult =>
  html`<sphex-remark class=${isRight ? "verdict right" : "verdict"} .text=${text}></sphex-remark>`;

/** Puts an exercise on the page, in the place of what is there. */
function begin(host: PanelHost, { title, task, inputs, start }: Exercise): void {
  const expression = (name: string, text: string): NewCell => ({ kind: "expression", name, text });
  const cells: readonly NewCell[] = [
    { kind: "remark", text: `## ${title}\n\n${task}` },
    ...Object.entries(inputs).map(([name, text]) => expression(name, text)),
    expression(answerName, start),
  ];
  host.edit({ kind: "replace", document: documentOf(cells, { dialect: "vespa" }) });
  host.announce("Change the cell called answer; undo brings back what was on the page.");
}

/** What the learner has written, where this exercise is on the page. */
function answerIn({ cells }: PageDocument, { title, inputs }: Exercise): Answer | undefined {
  if (!cells.some((cell) => cell.kind === "remark" && cell.text.startsWith(`## ${title}\n`)))
    return undefined;
  const expressions = cells.flatMap((cell) =>
    cell.kind === "expression" ? [{ name: cell.name, expression: cell.text }] : [],
  );
  const at = expressions.findLastIndex(({ name }) => name === answerName);
  const expression = expressions[at]?.expression;
  const isStep = ({ name }: Answer["steps"][number]): boolean => name !== "" && !Object.hasOwn(inputs, name);
  return expression === undefined
    ? undefined
    : { expression, steps: expressions.slice(0, at).filter(isStep) };
}

const isSame = (one: Answer | undefined, other: Answer | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
