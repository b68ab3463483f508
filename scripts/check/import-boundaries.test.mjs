import { describe, expect, it } from "vitest";
import { root } from "../setup/repository.mjs";
import { explainViolation, findViolations } from "./import-boundaries.mjs";
import { listImports } from "./source-files.mjs";

const manifests = {
  root: { devDependencies: { vitest: "*" } },
  contracts: { exports: { ".": "x" }, dependencies: { zod: "*" } },
  engine: { exports: { ".": "x" }, dependencies: { zod: "*", "@skein/contracts": "*" }, devDependencies: { "@skein/testkit": "*" } },
  agents: { exports: { ".": "x", "./native-program": "x" }, dependencies: { "@skein/engine": "*" } },
  storage: { exports: { ".": "x" }, dependencies: {} },
  host: { exports: { ".": "x", "./testing": "x" }, dependencies: { "@skein/agents": "*" } },
  server: { exports: { ".": "x" }, dependencies: { hono: "*", "@skein/agents": "*", "@skein/host": "*" } },
  web: { exports: { ".": "x" }, dependencies: {} },
  testkit: { exports: { ".": "x" } },
};

/** What is wrong with each import of a text. */
const explain = (file, text) =>
  listImports(text).flatMap((specifier) => explainViolation({ file: `packages/${file}`, specifier, manifests }) ?? []);

describe("import boundaries", () => {
  it("read every form of import", () => {
    const text = `
      import a from "a";
      import { b,
        c } from "b";
      import type { D } from 'd';
      export { e } from "e";
      export * from "f";
      import "g";
      const h = await import("h");
      import * as i from "i";
      // not one: import.meta.url, "from" alone
    `;
    expect(listImports(text).toSorted()).toEqual(["a", "b", "d", "e", "f", "g", "h", "i"]);
  });

  it.each([
    ["engine/src/a.ts", 'import { x } from "@skein/contracts";'],
    ["engine/src/deep/a.ts", 'import { x } from "../b.ts";\nimport { z } from "zod";'],
    ["engine/src/a.test.ts", 'import { it } from "vitest";\nimport { readFileSync } from "node:fs";\nimport { y } from "@skein/testkit";'],
    ["engine/src/a.ts", '// import { x } from "lodash";\nconst text = `import x from "lodash"`;'],
    ["host/src/a.ts", 'import { x } from "@skein/agents/native-program";'],
    ["server/src/a.test.ts", 'import { x } from "@skein/host/testing";'],
    ["server/src/a.ts", 'import { x } from "@skein/host";\nimport { readFile } from "node:fs";\nimport { y } from "hono/streaming";'],
  ])("let pass %s: %s", (file, text) => {
    expect(explain(file, text)).toEqual([]);
  });

  it.each([
    ["engine/src/a.ts", 'import { readFile } from "node:fs";', "runs in a browser"],
    ["web/src/a.tsx", 'import type { Stats } from "node:fs";', "runs in a browser"],
    ["agents/src/a.ts", 'import fs from "fs";', "write node:fs"],
    ["agents/src/a.ts", 'import { x } from "@skein/host";', "agents may import contracts, engine"],
    ["host/src/a.ts", 'import { x } from "@skein/storage";', "host may import contracts, engine, agents"],
    ["storage/src/a.ts", 'import { x } from "@skein/agents";', "storage may import contracts, engine"],
    ["contracts/src/a.ts", 'export { x } from "@skein/engine";', "contracts may import no package"],
    ["web/src/a.ts", 'const x = await import("@skein/server");', "web may import"],
    ["engine/src/a.ts", 'import { x } from "@skein/engine";', "engine may import contracts"],
    ["engine/src/a.ts", 'import {\n  a,\n  b,\n} from "lodash";', "lodash is not declared"],
    ["engine/src/a.ts", 'import "lodash/fp";', "lodash is not declared"],
    ["engine/src/a.ts", 'import { it } from "vitest";', "vitest is not declared"],
    ["storage/src/a.ts", 'import { x } from "@skein/engine";', "@skein/engine is not declared"],
    ["engine/src/deep/a.ts", 'import { x } from "../../../contracts/src/index.ts";', "must stay in their package"],
    ["server/src/a.ts", 'import { x } from "@skein/agents/src/native/turn.ts";', "does not export ./src/native/turn.ts"],
    ["storage/src/a.ts", 'import { x } from "@skein/testkit";', "testkit is for tests"],
    ["server/src/a.ts", 'import { x } from "@skein/host/testing";', "@skein/host/testing is for tests"],
  ])("catch %s: %s", (file, text, reason) => {
    expect(explain(file, text)).toEqual([expect.stringContaining(reason)]);
  });

  it("are kept in this repository", () => {
    expect(findViolations(root)).toEqual([]);
  });
});
