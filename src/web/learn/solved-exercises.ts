import type { TextStorage } from "../browser-storage.js";

/** Which exercises were solved in this browser. */
export class SolvedExercises {
  private readonly ids: Set<string>;

  constructor(private readonly storage: TextStorage) {
    this.ids = new Set((storage.getItem(key) ?? "").split(" ").filter((id) => id !== ""));
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    try {
      this.storage.setItem(key, [...this.ids].join(" "));
    } catch {
      // A browser without room for it forgets.
    }
  }
}

const key = "sphex-solved";
