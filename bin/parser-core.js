import { readFileSync } from "node:fs";

/**
 * A plugin of esbuild: of Chevrotain, bundles have what reads texts and not what analyses, validates and records grammars, since
 * our parsers are told what that finds (src/language/syntax/decisions.ts). What is left out throws when it is called. The
 * version of Chevrotain is fixed; another one that does not fit is an error of the build.
 */
export const parserCore = {
  name: "parser-core",
  setup(build) {
    build.onLoad({ filter: /[\\/]chevrotain[\\/]lib[\\/]src[\\/].*\.js$/ }, ({ path }) => {
      const [, file] = path.replaceAll("\\", "/").split("/chevrotain/lib/src/");
      const change = changes.find(({ files }) => files.includes(file));
      return change && { contents: change.to(readFileSync(path, "utf8"), file) };
    });
  },
};

const nothing = "() => undefined";

/** The parts of a parser that its parts for reading call: what is left of them where nothing is recovered, recorded or built. */
const traits = {
  gast_recorder: "export class GastRecorder { initGastRecorder() { this.RECORDING_PHASE = false; } }",
  looksahead: `export class LooksAhead {
    initLooksAhead({ maxLookahead }) {
      this.dynamicTokensEnabled = false;
      this.maxLookahead = maxLookahead;
      this.lookAheadFuncsCache = [];
      this.currRuleLookaheadFuncs = [];
    }
  }`,
  recoverable: `export const IN_RULE_RECOVERY_EXCEPTION = "InRuleRecoveryException";
  export class Recoverable {
    initRecoverable() { this.recoveryEnabled = false; }
    attemptInRepetitionRecovery() {}
    getHumanReadableRuleStack() {
      return this.RULE_STACK.slice(0, this.RULE_STACK_IDX + 1).map((each) => this.shortRuleNameToFullName(each));
    }
  }`,
  tree_builder: `export class TreeBuilder {
    initTreeBuilder() {
      this.outputCst = false;
      this.cstInvocationStateUpdate = this.cstFinallyStateUpdate = ${nothing};
      this.cstPostTerminal = this.cstPostNonTerminal = this.cstPostRule = ${nothing};
    }
  }`,
};

/** Lexers are told what their tokens begin with, and read patterns of no others: those are tried at every character. */
const patterns = {
  reg_exp: `export const failedOptimizationPrefixMsg = "";
  export const getOptimizedStartCodesIndices = () => [];
  export const canMatchCharCode = () => { throw new Error("no lexer of ours counts lines"); };`,
  reg_exp_parser: `export const clearRegExpParserCache = ${nothing};
  export const getRegExpAst = () => { throw new Error("the reader of patterns is not in this bundle"); };`,
};

const changes = [
  {
    files: [
      ...["checks", "follow", "interpreter", "llk_lookahead", "lookahead", "gast/gast_resolver_public"].map(
        (name) => `parse/grammar/${name}.js`,
      ),
      "parse/errors_public.js",
    ],
    to: withoutBodies,
  },
  {
    files: Object.keys(traits).map((name) => `parse/parser/traits/${name}.js`),
    to: (_text, file) => traits[nameOf(file)],
  },
  {
    files: Object.keys(patterns).map((name) => `scan/${name}.js`),
    to: (_text, file) => patterns[nameOf(file)],
  },
  {
    files: ["scan/lexer_public.js"],
    to: (text, file) => replaced(text, file, "this.config.skipValidations === false", "false"),
  },
  {
    files: ["scan/lexer.js"], // a table of all characters, filled at the first lexer: the formula that it is filled by is as fast
    to: (text, file) =>
      [
        ["initCharCodeToOptimizedIndexMap();\n    });", "});"],
        [": charCodeToOptimizedIdxMap[charCode]", ": 255 + ~~(charCode / 255)"],
      ].reduce((changed, [from, to]) => replaced(changed, file, from, to), text),
  },
];

function nameOf(file) {
  return file.split("/").at(-1).slice(0, -".js".length);
}

/** The exports of a module, each of which throws. */
function withoutBodies(text, file) {
  const names = [...text.matchAll(/^export (?:class|const|function|var) (\w+)/gm)].map(([, name]) => name);
  const leftOut = `function leftOut() { throw new Error("${file} of Chevrotain is not in this bundle"); }`;
  return [leftOut, ...names.map((name) => `export { leftOut as ${name} };`)].join("\n");
}

function replaced(text, file, from, to) {
  if (!text.includes(from)) throw new Error(`${file} of Chevrotain has no ${from}: is it another version?`);
  return text.replaceAll(from, to);
}
