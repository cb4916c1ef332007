import { TableElement } from "./table-element.js";

/** Prints the page with its tables as a whole, of which the page itself has the part in sight. */
export async function printWhole(): Promise<void> {
  const tables = [...document.querySelectorAll("sphex-table")].filter((each) => each instanceof TableElement);
  await Promise.all(tables.map((each) => each.unroll()));
  const rollUp = (): void => {
    for (const each of tables) each.rollUp();
  };
  addEventListener("afterprint", rollUp, { once: true });
  print();
}
