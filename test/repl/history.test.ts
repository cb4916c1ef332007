import { describe, expect, test } from "vitest";
import { History, type HistoryFile, historyPath } from "../../src/repl/terminal/history.js";

describe("history", () => {
  const fileOf = (text: string) => {
    const file = { text };
    const ways: HistoryFile = {
      read: () => file.text,
      append: (more) => void (file.text += more),
      replace: (all) => void (file.text = all),
    };
    return { file, ways };
  };

  test("is kept line by line, the newest first", () => {
    const { file, ways } = fileOf("1\n\n2\n");
    const history = new History(ways);
    expect(history.earlier()).toEqual(["2", "1"]);
    for (const line of ["2", "3", "3", "  ", "x".repeat(5000), "4"]) history.add(line);
    expect(file.text).toBe("1\n\n2\n3\n4\n");
  });

  test("is bounded", () => {
    const { file, ways } = fileOf("1\n2\n3\n4\n5\n");
    expect(new History(ways, 2).earlier()).toEqual(["5", "4"]);
    expect(file.text).toBe("4\n5\n");
  });

  test("is no error where there is no file, or none that can be used", () => {
    const fail = (): never => {
      throw new Error("permission denied");
    };
    for (const file of [undefined, { read: fail, append: fail, replace: fail }]) {
      const history = new History(file);
      expect(history.earlier()).toEqual([]);
      expect(() => history.add("1")).not.toThrow();
    }
  });

  // biome-ignore format: a table
  test.each([
    { env: { XDG_STATE_HOME: "/state", HOME: "/me" }, path: "/state/sphex/history" },
    { env: { HOME: "/me" },                           path: "/me/.local/state/sphex/history" },
    { env: { XDG_STATE_HOME: "relative", HOME: "/me" }, path: "/me/.local/state/sphex/history" },
    { env: {},                                        path: undefined },
  ])("has its place: $path", ({ env, path }) => {
    expect(historyPath(env)).toBe(path);
  });
});
