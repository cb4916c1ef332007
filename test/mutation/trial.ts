/** Something to try, and what is wrong then; nothing where all is well. */
export interface Trial {
  readonly name: string;
  readonly run: () => string | undefined | Promise<string | undefined>;
}
