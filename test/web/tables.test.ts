import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTensor, shortNumber, type Tensor } from "../../src/index.js";
import type { ResultView } from "../../src/web/document/page-document.js";
import type { TableWindow } from "../../src/web/protocol.js";
import { addressIn } from "../../src/web/results/table-source.js";
import { CellValue } from "../../src/web/worker/cell-value.js";
import { tensors } from "../arbitraries.js";
import { holds } from "../chance.js";

/** A table of the page shows under each address the cell that the tensor has there, however its dimensions lie and are cut. */

interface Shown {
  readonly tensor: Tensor;
  readonly view: ResultView;
  readonly first: number;
}

/** Views as they remain of a tensor that was there before: with dimensions and labels that this one lacks. */
const shown: fc.Arbitrary<Shown> = tensors().chain((tensor) => {
  const names = fc.subarray([...tensor.type.names, "other"]);
  const label = fc.constantFrom("0", "1", "2", "5", "a", "b", "01", "-1");
  const view = fc.record(
    {
      rows: names,
      columns: names,
      slices: fc.dictionary(fc.constantFrom(...tensor.type.names, "other"), label),
    },
    { requiredKeys: [] },
  );
  return fc.record({ tensor: fc.constant(tensor), view, first: fc.nat(3) });
});

/** The address and text of each cell of a part. */
function cellsOf(
  part: TableWindow,
): readonly { readonly address: Record<string, string>; readonly text: string | undefined }[] {
  return part.texts.map((text, at) => {
    const [row, column] = [Math.floor(at / part.columnLabels.length), at % part.columnLabels.length];
    return { address: { ...addressIn(part, row, column) }, text };
  });
}

test("labels that are numbers are in the order of their values, before all others", () => {
  const tensor = parseTensor('tensor(k{}):{"10":1,"1a":1,"2":1,"x":1,"":1}');
  const { rowLabels } = new CellValue("", tensor, false).table({ rows: ["k"], columns: [] }, [0, 5], [0, 1]);
  expect(rowLabels.flat()).toEqual(["2", "10", "", "1a", "x"]);
});

test("on random tensors and views", () => {
  holds(
    fc.property(shown, ({ tensor, view, first }) => {
      const value = new CellValue("", tensor, false);
      const text = (address: Record<string, string>): string | undefined => {
        const cell = tensor.get(address);
        return cell === undefined ? undefined : shortNumber(cell, tensor.type.cellType);
      };
      const part = value.table(view, [first, first + 3], [0, 4]);
      for (const cell of cellsOf(part))
        expect(cell.text, JSON.stringify(cell.address)).toBe(text(cell.address));
      const all = value.table({ ...view, rows: tensor.type.names, columns: [] }, [0, 1000], [0, 1]);
      const found = cellsOf(all).flatMap((cell) => (cell.text === undefined ? [] : [cell.address]));
      expect(found).toHaveLength(Math.min(1000, tensor.data.length));
    }),
    300,
  );
});

test("a slice that there was, and is no longer, is the first one", () => {
  const tensor = parseTensor("tensor(k{},x[2],y[2]):{a:[[1,2],[3,4]],b:[[5,6],[7,8]]}");
  const part = new CellValue("", tensor, false).table(
    { rows: ["x"], columns: [], slices: { y: "3", k: "c" } },
    [0, 9],
    [0, 9],
  );
  expect(part.view.slices).toEqual({ k: "a", y: "0" });
  expect(part.texts).toEqual(["1", "3"]);
});
