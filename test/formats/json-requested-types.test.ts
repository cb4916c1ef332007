import { describe, expect, test } from "vitest";
import { jsonForms, jsonFormsOf, parseTensor, readTensor, writeTensor } from "../../src/index.js";

/** JSON that is read as a type which a caller asks for. */

describe("every form that a tensor is written in is read as its type again", () => {
  test.each([
    "tensor<long>(x[2]):[1,2]",
    "tensor<int>(x[2]):[1,-2]",
    "tensor<short>(x[2]):[1,-2]",
    "tensor<half>(x[3]):[1,-2,0.5]",
    "tensor<float>(x[2]):[1,-2]",
    "tensor<int8>(k{},x[2]):{a:[1,-2]}",
  ])("%s", (text) => {
    const tensor = parseTensor(text);
    const forms = jsonForms.filter((form) => jsonFormsOf(tensor.type).includes(form));
    expect(forms.length).toBeGreaterThan(2);
    for (const form of forms) {
      const read = readTensor(writeTensor(tensor, "json", { form }), "json", { type: tensor.type });
      expect([form, `${read}`]).toEqual([form, `${tensor}`]);
    }
  });
});

test("the cells of a value that says its type are first stored as that", () => {
  const json = '{"type":"tensor<int8>(k{})","cells":{"a":300}}';
  expect(`${readTensor(json, "json")}`).toBe("tensor<int8>(k{}):{a:44}");
  expect(`${readTensor(json, "json", { type: "tensor(k{})" })}`).toBe("tensor(k{}):{a:44.0}");
});
