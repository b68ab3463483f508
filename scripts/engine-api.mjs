// Keeps packages/engine/API.md in step with the doc comments of what `@skein/engine` exports. `--write` updates it; without it, a difference is
// an error.
import { readFileSync, writeFileSync } from "node:fs";
import { inRepository } from "./setup/repository.mjs";

const sources = inRepository("packages/engine/src");
const document = inRepository("packages/engine/API.md");

const introduction = `# API of @skein/engine

<!-- written by npm run spec from the doc comments -->

See [README.md](README.md) for examples. A *provider* is the API whose messages are meant.
`;

/** `{ name, file }` of each export, in the order of the entry. */
function listExports() {
  const entry = readFileSync(`${sources}/standalone.ts`, "utf8");
  return [...entry.matchAll(/export (type )?\{([^}]*)\} from "\.\/([^"]+)"/g)].flatMap(([, , names, file]) =>
    names.split(",").map((name) => ({ name: name.trim().replace(/^type /, ""), file })),
  );
}

/** The declaration without the body of a function, and the comment before it. */
function describe({ name, file }) {
  const text = readFileSync(`${sources}/${file}`, "utf8");
  const found = new RegExp(`(?:/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n)?export (?:async )?(function|interface|type|const) ${name}\\b`).exec(text);
  if (found === null) throw new Error(`${file} does not declare ${name}.`);
  const [whole, comment = "", kind] = found;
  const from = found.index + whole.lastIndexOf("\nexport ") + 1;
  const rest = text.slice(whole.includes("\nexport ") ? from : found.index);
  const end = { interface: /\n\}\n/, type: /;\n(?=\n|$)/, const: / = / }[kind];
  const declared =
    kind === "function" ? rest.slice(0, findBody(rest)) : rest.slice(0, end.exec(rest).index + (kind === "interface" ? 2 : 0));
  if (comment === "") throw new Error(`${name} has no doc comment.`);
  return { name, kind, comment: readComment(comment), declaration: declared.replace(/^export (async )?/, "").trimEnd() };
}

/** Where the body of a function begins: the brace that ends a line outside of parentheses. */
function findBody(text) {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if ("([".includes(text[i])) depth++;
    if (")]".includes(text[i])) depth--;
    if (depth === 0 && text.startsWith("{\n", i)) return i;
  }
  throw new Error("A function has no body.");
}

function readComment(comment) {
  const lines = comment.split("\n").map((line) => line.replace(/^\s*\* ?/, ""));
  const [text = "", ...examples] = lines
    .join("\n")
    .trim()
    .split(/^@example\n/m);
  const parameters = text.replace(/^@param (\S+) /gm, "- `$1`: ").trim();
  return [parameters, ...examples.map((code) => `\`\`\`ts\n${code.trim()}\n\`\`\``)].join("\n\n");
}

function render() {
  const described = listExports().map(describe);
  const order = ["function", "const", "interface", "type"];
  const sorted = order.flatMap((kind) => described.filter((one) => one.kind === kind));
  const sections = sorted.map(
    ({ name, kind, comment, declaration }) =>
      `## ${name}${kind === "function" ? "()" : ""}\n\n${comment}\n\n\`\`\`ts\n${declaration}\n\`\`\``,
  );
  return `${introduction}\n${sections.join("\n\n")}\n`;
}

const wanted = render();
if (process.argv.includes("--write")) writeFileSync(document, wanted);
else if (readFileSync(document, "utf8") !== wanted) {
  console.error("packages/engine/API.md does not match the doc comments. Run: npm run spec");
  process.exitCode = 1;
}
