import { execFileSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { allowedImports, findViolations, listImports, type Manifest } from "./support/import-rules.ts";

const root = join(import.meta.dirname, "..");
const rootManifest = readManifest("package.json");
const packageNames = readdirSync(join(root, "packages"));

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
}

describe("imports between packages", () => {
  it("every package has a rule", () => {
    expect(packageNames.toSorted()).toEqual(Object.keys(allowedImports).toSorted());
  });

  it.each(packageNames)("%s imports only what lies below it, and declares it", (packageName) => {
    const folder = join(root, "packages", packageName);
    const own = readManifest(join("packages", packageName, "package.json"));
    const paths = globSync("src/**/*.{ts,tsx}", { cwd: folder }).filter((path) => !path.includes("__fixtures__"));
    expect(paths.length).toBeGreaterThan(0);
    const violations = paths.flatMap((path) => {
      const text = readFileSync(join(folder, path), "utf8");
      return findViolations({ packageName, path: path.replaceAll("\\", "/"), text }, { own, root: rootManifest });
    });
    expect(violations).toEqual([]);
  });
});

describe("the rules themselves", () => {
  const manifests = { own: { dependencies: { zod: "*", "@skein/engine": "*" } }, root: { devDependencies: { vitest: "*" } } };
  const check = (packageName: string, path: string, text: string) => findViolations({ packageName, path, text }, manifests);

  it.each([
    ["engine", "src/a.ts", 'import { readFile } from "node:fs";', "runs in a browser"],
    ["web", "src/a.tsx", 'import type { Stats } from "node:fs";', "runs in a browser"],
    ["agents", "src/a.ts", 'import fs from "fs";', "write node:fs"],
    ["storage", "src/a.ts", 'import { x } from "@skein/agents";', "storage may import contracts, engine"],
    ["contracts", "src/a.ts", 'export { x } from "@skein/engine";', "contracts may import no package"],
    ["web", "src/a.ts", 'const x = await import("@skein/server");', "web may import"],
    ["engine", "src/a.ts", 'import {\n  a,\n  b,\n} from "lodash";', "lodash is not declared"],
    ["engine", "src/a.ts", 'import "lodash/fp";', "lodash is not declared"],
    ["engine", "src/deep/a.ts", 'import { x } from "../../../contracts/src/index.ts";', "must stay in their package"],
    ["storage", "src/a.ts", 'import { x } from "@skein/testkit";', "testkit is for tests"],
    ["engine", "src/a.ts", 'import { it } from "vitest";', "vitest is not declared"],
    ["engine", "src/a.ts", 'import { x } from "@skein/engine";', "engine may import contracts"],
  ])("catch %s %s: %s", (packageName, path, text, reason) => {
    expect(check(packageName, path, text)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ["server", "src/a.ts", 'import { x } from "@skein/engine";\nimport { readFile } from "node:fs";'],
    ["engine", "src/a.test.ts", 'import { it } from "vitest";\nimport { readFileSync } from "node:fs";'],
    ["engine", "src/deep/a.ts", 'import { x } from "../b.ts";\nimport { z } from "zod";'],
    ["engine", "src/a.ts", '// import { x } from "lodash";\nconst text = `import x from "lodash"`;'],
  ])("let pass %s %s: %s", (packageName, path, text) => {
    expect(check(packageName, path, text)).toEqual([]);
  });

  it("read every form of import", () => {
    const text =
      'import a from "a";\nimport * as b from "b";\nimport type { C } from "c";\nexport * from "d";\nimport "e";\nconst f = import("f");\n';
    expect(listImports(text).toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });
});

describe("what a runner loads", () => {
  // each execution has a runner of its own: the whole engine with its schemas would be most of its memory and of its start
  it.each(["claude-code/drive-claude-code.ts", "codex/drive-codex.ts", "command/drive-command.ts"])("%s loads no schemas", (driver) => {
    const hook = `import { registerHooks } from "node:module";
      registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
      await import(${JSON.stringify(pathToFileURL(join(root, "packages/agents/src", driver)).href)});`;
    const loaded = execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", hook], {
      encoding: "utf8",
    });
    expect(loaded).toContain(driver);
    expect(loaded.split("\n").filter((url) => /\/(zod|engine\/src\/index|contracts\/src\/index)\b/.test(url))).toEqual([]);
  });
});
