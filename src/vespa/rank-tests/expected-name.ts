/** Names that mean something else than a function, where a rank test says what it expects. */
const ofTheTest = new Set(["score", "scores", "ranking"]);

/** What a rank test calls a function. */
export const expectedName = (name: string): string =>
  ofTheTest.has(name) ? `rankingExpression(${name})` : name;
