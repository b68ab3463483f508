import { expect, it } from "vitest";
import { root } from "../setup/repository.mjs";
import { findPortBypasses, findPortBypassesOf, ownMachine } from "./host-port.mjs";
import { listSources } from "./source-files.mjs";

const explain = (file, text) => findPortBypasses([{ file: `packages/${file}`, text }]);

it.each([
  ["server/src/services/a.ts", 'import type { Host } from "@skein/host";\nimport { join } from "node:path";'],
  ["server/src/data-dir/a.ts", 'import { readFileSync } from "node:fs";'],
  ["server/src/start/open-foundation.ts", 'import { createLocalHost } from "@skein/host";'],
  ["server/src/services/a.test.ts", 'import { rmSync } from "node:fs";\nimport { createLocalHost } from "@skein/host";'],
  ["host/src/local/a.ts", 'import { spawn } from "node:child_process";'],
  ["host/src/port/a.ts", 'import type { B } from "./b.ts";'],
])("lets pass %s: %s", (file, text) => {
  expect(explain(file, text)).toEqual([]);
});

it.each([
  ["server/src/services/a.ts", 'import { existsSync } from "node:fs";', "imports node:fs"],
  ["server/src/executions/a.ts", 'import type { Stats } from "node:fs";', "imports node:fs"],
  ["server/src/mcp/a.ts", 'const { spawn } = await import("node:child_process");', "imports node:child_process"],
  ["server/src/executions/a.ts", 'import { type AgentExit, toAgentEnvironment } from "@skein/host";', "only its types"],
  ["server/src/services/a.ts", 'export {\n  createLocalHost,\n} from "@skein/host";', "only its types"],
  ["host/src/port/a.ts", 'import { readFile } from "node:fs/promises";', "the port has only types"],
])("catches %s: %s", (file, text, reason) => {
  expect(explain(file, text)).toEqual([expect.stringContaining(reason)]);
});

it("holds in this repository, and every exception is used", () => {
  expect(findPortBypassesOf(root)).toEqual([]);
  const files = listSources(root).map(({ file }) => file);
  for (const own of Object.keys(ownMachine)) expect(files.some((file) => file.startsWith(`packages/server/src/${own}`))).toBe(true);
});
