import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokenHistories } from "./broken-histories.fixture.ts";
import { judge, libraries } from "./compare.fixture.ts";

const readme = join(import.meta.dirname, "../../PACKAGE.md");
const place = /(<!-- written by SKEIN_WRITE=1 .*? -->\n\n).*?(\n\n<!-- end -->)/s;
const root = join(import.meta.dirname, "../../../..");
const versionOf = (name: string): string => JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")).version;

async function renderTable(): Promise<string> {
  const names = Object.keys(libraries);
  const rows = await Promise.all(
    Object.entries(brokenHistories).map(async ([name, history]) => {
      const cells = await Promise.all(Object.values(libraries).map((library) => judge(library, history)));
      return `| ${[name, ...cells].join(" | ")} |`;
    }),
  );
  const versions = `Versions: \`ai\` ${versionOf("ai")}, \`@langchain/core\` ${versionOf("@langchain/core")}.`;
  return [`| history | ${names.join(" | ")} |`, `|---|${names.map(() => "---|").join("")}`, ...rows, "", versions].join("\n");
}

test("[M3] the comparison in the README is what the libraries do with the same histories", async () => {
  const table = await renderTable();
  const text = readFileSync(readme, "utf8");
  const wanted = text.replace(place, (_, before: string, after: string) => `${before}${table}${after}`);
  if (process.env.SKEIN_WRITE === "1") writeFileSync(readme, wanted);
  expect(text.match(place)).not.toBeNull();
  expect(readFileSync(readme, "utf8")).toBe(wanted);
});

test("[M3] repair keeps every text, and the API accepts all of it", async () => {
  for (const history of Object.values(brokenHistories)) {
    expect(await judge(libraries["`repair`"] as (typeof libraries)[string], history)).toBe("accepted");
  }
});
