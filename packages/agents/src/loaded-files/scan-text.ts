import { posix } from "node:path";

/** How a file names what it loads: `command` is a command line, `data` names nothing. */
export type TextKind = "command" | "script" | "module" | "python" | "source" | "package" | "data";

const modulePattern = /\.(?:[cm]?[jt]s|[jt]sx)$/i;
const pythonPattern = /\.pyw?$/i;
const sourcePattern = /\.(?:go|rs|java|kts?|scala|groovy|cs|fs|swift|c|cc|cpp|h|hpp|rb|php|pl|pm|lua|exs?)$/i;
const dataPattern =
  /(?:\.(?:json|jsonc|json5|lock|lockb|sum|md|mdx|markdown|rst|txt|csv|tsv|html?|css|scss|less|svg|png|jpe?g|gif|webp|ico|pdf|woff2?|ttf|map|snap|jar|zip|gz|exe|so|dylib|wasm|sql)|-lock\.ya?ml)$/i;
/** Mentioned by programs, but not executed by any. */
const prosePattern = /\.(?:md|mdx|markdown|rst|csv|tsv|html?|css|scss|less|svg|png|jpe?g|gif|webp|ico|pdf|woff2?|ttf|map|snap)$/i;

export function toTextKind(path: string): TextKind {
  const name = posix.basename(path);
  if (name === "package.json") return "package";
  if (modulePattern.test(name)) return "module";
  if (pythonPattern.test(name)) return "python";
  if (sourcePattern.test(name)) return "source";
  return dataPattern.test(name) ? "data" : "script";
}

export function isProse(path: string): boolean {
  return prosePattern.test(path);
}

/** Whether a program could execute it: relevant if a program loads everything in a folder. */
export function isCode(path: string): boolean {
  return toTextKind(path) !== "data" || /\.(?:json|wasm|jar|so|dylib)$/i.test(path);
}

export function isShell(path: string, text: string): boolean {
  return /\.(?:sh|bash|zsh|ksh)$/i.test(path) || /^#!.*\b(?:ba|z|k|da)?sh\b/.test(text);
}

const harmless =
  /^\s*(?:(?:if|while|until|then|else|elif|do|!)\s+)*(?:test|\[{1,2}|echo|printf|rm|rmdir|mkdir|touch|sleep|wait|true|false|exit|ls|pwd)(?:\s|$)/;

/** Without commands of a shell script that execute none of their arguments (`test -e x`), and without files that it writes. */
export function removeHarmless(script: string): string {
  const text = script.replace(/\\\r?\n/g, " ").replace(/(?<![<>=-])\d?>{1,2}(?!&)\s*[^\s;&|()<>]+/g, " ");
  // with the separators: piped text may be executed
  const parts = text.split(/(\|\||&&|[\n;&|()`{}])/);
  return parts.map((part, index) => (index % 2 === 0 && harmless.test(part) && parts[index + 1] !== "|" ? "" : part)).join("");
}

const tokenPattern = /[^\s"'`<>|&;(){}[\]=,:$!#\\*?]+/g;
const wordPattern = /[^\s"'`<>|&;(){}[\]=,$!\\*?]+/g;

/** Every part of a text that could be a path. */
export function listTokens(text: string): Set<string> {
  return new Set(text.match(tokenPattern)?.filter((token) => token.length <= 300 && !token.startsWith("~")));
}

/** Like tokens, but with `:` inside, as in names of scripts. */
export function listWords(text: string): Set<string> {
  return new Set(text.match(wordPattern)?.filter((word) => word.length <= 300));
}

/** Words in a program's text that look like paths. */
export function looksLikePath(token: string): boolean {
  return token.startsWith(".") || token.includes("/") || /\.[A-Za-z]\w{0,4}$/.test(token);
}

const moduleEndings = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", ".json", ".node"];
const moduleIndexes = moduleEndings.map((ending) => `/index${ending}`);

/** The files that a name in a program may refer to, besides the one with exactly that name. */
export function listMeanings(token: string, kind: TextKind): string[] {
  const path = token.replace(/\/+$/, "");
  // TypeScript files are imported by the name of their compiled output
  const source = /\.([cm]?)jsx?$/i.exec(path);
  const sources =
    source === null ? [] : [".ts", ".tsx"].map((ending) => path.slice(0, source.index) + ending.replace(".", `.${source[1]}`));
  switch (kind) {
    case "module":
    case "package":
      return [...sources, ...[...moduleEndings, ...moduleIndexes, "/package.json"].map((ending) => path + ending)];
    case "command":
      return [...sources, ...[...moduleEndings, ".py", ".sh"].map((ending) => path + ending)];
    case "source":
      return [".rb", ".php", ".pm", ".lua"].map((ending) => path + ending);
    case "python":
      return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`];
    default:
      return [];
  }
}

/** The paths that Python imports may refer to: relative to the file's folder if they begin with dots, otherwise to any root. */
export function listPythonImports(text: string): { path: string; isRelative: boolean }[] {
  const found: { path: string; isRelative: boolean }[] = [];
  const add = (name: string) => {
    const dots = /^\.*/.exec(name)?.[0].length ?? 0;
    const steps = name
      .slice(dots)
      .split(".")
      .filter((step) => step !== "");
    const up = dots > 1 ? Array.from({ length: dots - 1 }, () => "..") : [];
    // a package runs its __init__ before its modules
    for (let length = 1; length <= Math.max(1, steps.length); length++) {
      found.push({ path: [...up, ...steps.slice(0, length)].join("/") || ".", isRelative: dots > 0 });
    }
  };
  for (const [, names = ""] of text.matchAll(/^[ \t]*import[ \t]+([^\n#;]+)/gm)) {
    for (const name of names.split(",")) add(name.trim().split(/\s/)[0] ?? "");
  }
  const begin = /^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+/gm;
  // not with `[^)]*`: each of many unclosed lists would be searched to the end of the text
  const lastClose = text.lastIndexOf(")");
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const [, from = ""] = match;
    const start = begin.lastIndex;
    const isList = text[start] === "(" && start < lastClose;
    const end = isList ? text.indexOf(")", start) : findLineEnd(text, start);
    begin.lastIndex = end;
    add(from);
    for (const name of text.slice(start, end).replace(/[()]/g, "").split(",")) {
      const [first = ""] = name.trim().split(/\s/);
      if (/^\w+$/.test(first)) add(from.endsWith(".") ? from + first : `${from}.${first}`);
    }
  }
  return found;
}

/** The start of a line, a comment or the next statement. */
function findLineEnd(text: string, start: number): number {
  const end = /[\n#;]|$/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

const computed: Readonly<Partial<Record<TextKind, RegExp>>> = {
  module: /\bimport\s*\(\s*(?!["'`][^"'`$]*["'`])|\brequire\s*\(\s*(?!["'`][^"'`$]*["'`])|\breaddir|\bglob\w*\s*\(|\bfork\s*\(\s*(?!["'])/,
  python: /\b(?:importlib|__import__|pkgutil|runpy|exec|eval|listdir|glob|iterdir)\b/,
  script: /\bfor\s+\w+\s+in\b|(?:^|[\s;&|(])(?:source|\.|sh|bash|node|python3?|exec)\s+["']?\$|\b(?:xargs|find|run-parts|eval|include)\b/m,
};

/** Whether the text loads what it does not name: then everything next to it counts. */
export function loadsComputedNames(text: string, kind: TextKind): boolean {
  return computed[kind === "command" ? "script" : kind]?.test(text) ?? false;
}
