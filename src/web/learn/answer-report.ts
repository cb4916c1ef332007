import type { AnswerReport } from "../panel-protocol.js";
import { checkAnswer } from "./check-answer.js";
import type { Answer } from "./exercise.js";
import { exerciseNamed } from "./exercises.js";
import { verdictText } from "./verdict-text.js";

/** Whether what was written answers the exercise of a name, and what is to be said about it. */
export async function answerReport(
  exercise: string,
  answer: Answer,
  signal: AbortSignal,
): Promise<AnswerReport> {
  const verdict = await checkAnswer(exerciseNamed(exercise), answer, signal);
  return { isRight: verdict.kind === "right", text: verdictText(verdict) };
}
