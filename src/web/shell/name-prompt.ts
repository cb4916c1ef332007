/** A name that the reader is asked for. */
export interface NamePrompt {
  readonly title: string;
  readonly value: string;
  readonly accept: (name: string) => void;
}
