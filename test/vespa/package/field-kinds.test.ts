import { describe, expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Which fields a rank feature can be about: what content nodes refuse is refused here. */

const codes = (expression: string): string[] => {
  const schema = `schema doc {
    document doc {
      field one type string { indexing: index
        index: enable-bm25 }
      field many type array<string> { indexing: index
        index: enable-bm25 }
      field both type string { indexing: index | attribute }
      field plain type string { indexing: attribute }
      field shown type string { indexing: summary }
      field v type tensor<float>(x[2]) { indexing: attribute }
      field flag type bool { indexing: attribute }
      field other type reference<parent> { indexing: attribute }
    }
    import field other.both as imported {}
    rank-profile p { first-phase { expression: ${expression} } }
  }`;
  const parent =
    "schema parent { document parent { field both type string { indexing: index | attribute } } }";
  const read = packageOf({ "schemas/doc.sd": schema, "schemas/parent.sd": parent });
  return checkPackage(read).problems.map(({ code }) => code);
};

test.each([
  "fieldMatch(one) + textSimilarity(both) + fieldLength(one)",
  "bm25(one) + bm25(many) + elementCompleteness(many) + elementSimilarity(one) + termDistance(many,0,1)",
  "attributeMatch(plain) + attributeMatch(imported) + freshness(both) + dotProduct(plain,v)",
  "nativeAttributeMatch(one,plain) + nativeFieldMatch(plain) + nativeProximity(plain) + nativeRank(plain,one)",
  "matches(shown) + matchCount(plain) + attribute(imported)",
])("%s", (expression) => expect(codes(expression)).toEqual([]));

test.each([
  ...[
    "fieldMatch(many)",
    "fieldMatch(plain)",
    "fieldMatch(shown)",
    "fieldMatch(imported)",
    "textSimilarity(many)",
  ],
  ...["fieldLength(plain)", "bm25(plain)", "elementCompleteness(plain)", "elementSimilarity(shown)"],
  ...[
    "termDistance(plain,0,1)",
    "attributeMatch(both)",
    "attributeMatch(v)",
    "freshness(v)",
    "dotProduct(v,w)",
  ],
])("%s is refused", (expression) => expect(codes(expression)).toEqual(["feature/field-kind"]));

test.each([
  "attribute(v).count",
  "attribute(flag).count",
  "attribute(flag).weight",
])("%s is refused: there is the value alone", (expression) =>
  expect(codes(expression)).toEqual(["feature/output"]));

test.each([
  "attribute(flag).value",
  "attribute(plain).count",
  "sum(attribute(v).value)",
])("%s", (expression) => expect(codes(expression)).toEqual([]));

/** `many` has several values, and `v` is a tensor. */
test.each([
  "foreach(attributes,N,attribute(N),true,sum)",
  "foreach(attributes,N,attribute(N).value,true,sum)",
  "foreach(attributes,N,attribute(N).count,true,sum)",
  "foreach(attributes,N,attributeMatch(N),true,max)",
  "foreach(attributes,X,freshness(X),true,max)",
  "foreach(fields,N,fieldMatch(N),true,sum)",
])("%s is refused, for one of the fields", (expression) =>
  expect(codes(expression)).toEqual(["feature/foreach"]));

test.each([
  "foreach(attributes,N,matchCount(N),true,sum)",
  "foreach(attributes,N,attribute(plain),true,sum)",
  "foreach(fields,N,bm25(N),true,sum) + foreach(fields,N,fieldMatch(one),true,max)",
  "foreach(terms,N,fieldTermMatch(one,N).occurrences,true,sum)",
  'foreach(terms,i,term(i).significance,"<0.5",count) + foreach(fields,N,matches(N),">0",product)',
])("%s", (expression) => expect(codes(expression)).toEqual([]));

test.each([
  ["foreach(things,N,attribute(N),true,sum)", "feature/argument"],
  ["foreach(terms,N,term(N).weight,true,mean)", "feature/argument"],
  ['foreach(terms,N,term(N).weight,"=3",sum)', "feature/argument"],
  ['foreach(terms,N,term(N).weight,">",sum)', "feature/argument"],
  ["foreach(terms,N,term(N).wieght,true,sum)", "feature/output"],
  ["foreach(terms,N,trem(N).weight,true,sum)", "feature/unknown"],
  ["foreach(terms,N,fieldTermMatch(two,N).weight,true,sum)", "feature/field"],
])("%s is refused: %s", (expression, code) => expect(codes(expression)).toEqual([code]));

/** `flag` is a `bool`, of which content nodes have the value alone; an imported one is, too. */
describe("where attributes are a number and a bool", () => {
  const attributes = (expression: string, parent = ""): string[] => {
    const schema = `schema doc {
      document doc {
        field price type int { indexing: attribute }
        ${parent === "" ? "field flag type bool { indexing: attribute }" : ""}
        field other type reference<parent> { indexing: attribute }
      }
      ${parent === "" ? "" : "import field other.flag as flag {}"}
      rank-profile p { first-phase { expression: ${expression} } }
    }`;
    const other = `schema parent { document parent { ${parent} } }`;
    return checkPackage(packageOf({ "schemas/doc.sd": schema, "schemas/parent.sd": other })).problems.map(
      ({ code }) => code,
    );
  };
  const imported = "field flag type bool { indexing: attribute }";

  test.each(["count", "weight", "contains"])("foreach has no %s of each", (output) => {
    const expression = `foreach(attributes,N,attribute(N).${output},true,sum)`;
    expect(attributes(expression)).toEqual(["feature/foreach"]);
    expect(attributes(expression, imported)).toEqual(["feature/foreach"]);
  });

  test("foreach has the value of each", () => {
    expect(attributes("foreach(attributes,N,attribute(N),true,sum)")).toEqual([]);
    expect(attributes("foreach(attributes,N,attribute(N).value,true,sum)", imported)).toEqual([]);
  });
});

/** Of the struct `person` with members of several kinds, and a struct `pair` that has a person. */
const memberCodes = (type: string, members: string): string[] =>
  codesOf(type, members.replace(/\S+/g, "struct-field $& { indexing: attribute }\n"));

const codesOf = (type: string, attributes: string): string[] => {
  const schema = `schema doc {
    document doc {
      struct person {
        field name type string {}
        field age type int {}
        field flag type bool {}
        field tags type array<string> {}
      }
      struct pair {
        field one type person {}
      }
      field f type ${type} { indexing: summary
        ${attributes} }
    }
  }`;
  return checkPackage(packageOf({ "schemas/doc.sd": schema })).problems.map(({ code }) => code);
};

test.each([
  ["array<person>", "name age"],
  ["map<string, person>", "key value.name"],
  ["map<long,double>", "key value"],
])("a field of %s may have attributes of %s", (type, members) =>
  expect(memberCodes(type, members)).toEqual([]));

test.each([
  ["person", "name"],
  ["array<person>", "flag"],
  ["array<person>", "tags"],
  ["array<pair>", "one.name"],
  ["map<string, person>", "value.tags"],
  ["map<string, pair>", "value.one.name"],
  ["map<string, array<int>>", "key"],
  ["map<string, array<int>>", "value"],
  ["map<bool, int>", "value"],
])("a field of %s has no attribute of %s", (type, member) =>
  expect(memberCodes(type, member)).toEqual(["field/member-attribute"]));

test.each([
  ["array<pair>", "one", "name", ["field/member-attribute"]],
  ["pair", "one", "name", ["field/member-attribute"]],
  ["map<string, person>", "value", "tags", ["field/member-attribute"]],
  ["map<string, person>", "value", "nmae", ["feature/field"]],
  ["map<string, person>", "value", "name", []],
])("in a field of %s, within the member %s, that of %s", (type, outer, inner, expected) =>
  expect(codesOf(type, `struct-field ${outer} { struct-field ${inner} { indexing: attribute } }`)).toEqual(
    expected,
  ));
