// Lists which tests quote which rule of SPEC.md. `--write` updates the table there; without it, an outdated table is an error.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const marker = "<!-- written by npm run spec -->";
const ruleId = /\b[TREPUNQXWILACSGM]\d{1,2}\b/g;

/** Tests that several files run. */
const sharedTests = /storage-contract|real-agents\/stories/;

function* testFiles(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name === "dist") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* testFiles(path);
    else if (/\.test\.tsx?$/.test(entry.name) || sharedTests.test(path)) yield path;
  }
}

/** Rule ids in square brackets at the start of a title: `test("[T3] …`, `test("[E1, E6] …`, `it("[R9][R7] …`. */
export function quotedRules(source) {
  const titles = source.matchAll(/["'`]((?:\[[A-Z]\d{1,2}(?:[,/ ]+[A-Z]\d{1,2})*\]\s*)+)/g);
  return [...titles].flatMap((match) => match[1].match(ruleId) ?? []);
}

function collect() {
  const byRule = new Map();
  for (const folder of ["packages", "tests"]) {
    for (const file of testFiles(folder)) {
      for (const rule of quotedRules(readFileSync(join(root, file), "utf8"))) {
        byRule.set(rule, (byRule.get(rule) ?? new Set()).add(relative(root, join(root, file))));
      }
    }
  }
  return byRule;
}

const order = "TREPUNQXWILACSGM";
const compare = (a, b) => order.indexOf(a[0]) - order.indexOf(b[0]) || Number(a.slice(1)) - Number(b.slice(1));

const specPath = join(root, "SPEC.md");
const spec = readFileSync(specPath, "utf8");
const known = new Set(
  spec
    .slice(0, spec.indexOf(marker))
    .match(/^(?:- |\| )([A-Z]\d{1,2})\b/gm)
    ?.map((line) => line.slice(2)),
);
const byRule = collect();
const unknown = [...byRule.keys()].filter((rule) => !known.has(rule));
const rows = [...byRule.keys()].sort(compare).map(
  (rule) =>
    `| ${rule} | ${[...byRule.get(rule)]
      .sort()
      .map((file) => `\`${file}\``)
      .join("<br>")} |`,
);
const updated = `${spec.slice(0, spec.indexOf(marker))}${marker}\n\n| rule | tests |\n|---|---|\n${rows.join("\n")}\n`;

if (unknown.length > 0) {
  console.error(`Tests quote rules that SPEC.md does not have: ${unknown.join(", ")}`);
  process.exitCode = 1;
} else if (process.argv.includes("--write")) {
  writeFileSync(specPath, updated);
  console.log(`SPEC.md: ${byRule.size} of ${known.size} rules are quoted by tests.`);
} else if (updated !== spec) {
  console.error("The table at the end of SPEC.md is out of date. Run: npm run spec");
  process.exitCode = 1;
}
