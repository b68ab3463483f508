import { pathToFileURL } from "node:url";
import { findDocumentProblems } from "./check/document-paths.mjs";
import { findUndocumented } from "./check/export-docs.mjs";
import { findFirstLoadTexts } from "./check/first-load-texts.mjs";
import { findCyclesOf } from "./check/folder-cycles.mjs";
import { findPortBypassesOf } from "./check/host-port.mjs";
import { findViolations } from "./check/import-boundaries.mjs";
import { checkLockFile } from "./check/lock-file.mjs";
import { findUnusedExports } from "./check/package-exports.mjs";
import { runInParallel } from "./check/parallel-tasks.mjs";
import { findUnusedTexts } from "./check/unused-texts.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { inRepository, root } from "./setup/repository.mjs";
import { runCommand } from "./setup/run-command.mjs";

const tool =
  (script, ...args) =>
  () =>
    runCommand(process.execPath, [inRepository("node_modules", script), ...args], { cwd: root, output: "keep" });

/** They are plain JavaScript on top of TypeScript sources: only Node notices an export that is gone. */
const importBenchmarks = `await import(${JSON.stringify(pathToFileURL(inRepository("bench/measures.mjs")))}); process.exit();`;

const toResult = (problems) => ({ code: problems.length === 0 ? 0 : 1, tail: problems.join("\n") });

const tasks = [
  { name: "lock file names no registry", run: async () => checkLockFile(inRepository("package-lock.json")) },
  { name: "imports keep to the package boundaries", run: async () => toResult(findViolations(root)) },
  { name: "services reach other machines through the Host port", run: async () => toResult(findPortBypassesOf(root)) },
  { name: "folders of a package form no cycles", run: async () => toResult(findCyclesOf(root)) },
  { name: "every export of a package has a caller", run: async () => toResult(findUnusedExports(root)) },
  { name: "exports of contracts, engine, agents and host are documented", run: async () => toResult(findUndocumented(root)) },
  { name: "the first load has no texts of other pages", run: async () => toResult(await findFirstLoadTexts(root)) },
  { name: "every text of the web UI is shown", run: async () => toResult(await findUnusedTexts(root)) },
  { name: "documents name existing files", run: async () => toResult(findDocumentProblems(root)) },
  {
    name: "SPEC.md names the tests of each rule",
    run: () => runCommand(process.execPath, [inRepository("scripts/spec.mjs")], { output: "keep" }),
  },
  {
    name: "docs/http.md matches the route table",
    run: () => runCommand(process.execPath, [inRepository("scripts/http-reference.mjs")], { output: "keep" }),
  },
  {
    name: "the client's types match the route table",
    run: () => runCommand(process.execPath, [inRepository("scripts/client-routes.mjs")], { output: "keep" }),
  },
  {
    name: "the engine's API page matches its doc comments",
    run: () => runCommand(process.execPath, [inRepository("scripts/engine-api.mjs")], { output: "keep" }),
  },
  {
    name: "docs/agents.md matches the tests of agents",
    run: () => runCommand(process.execPath, [inRepository("scripts/agent-matrix.mjs")], { output: "keep" }),
  },
  {
    name: "the benchmarks' imports exist",
    run: () => runCommand(process.execPath, ["--input-type=module", "-e", importBenchmarks], { cwd: root, output: "keep" }),
  },
  { name: "types", run: tool("typescript/bin/tsc", "-p", "tsconfig.json") },
  { name: "types of the web UI", run: tool("typescript/bin/tsc", "-p", "packages/web/tsconfig.json") },
  { name: "format and lint (biome)", run: tool("@biomejs/biome/bin/biome", "ci", "--colors=off", "--error-on-warnings") },
  { name: "nothing unused (knip)", run: tool("knip/bin/knip.js", "--no-progress", "--no-config-hints") },
  { name: "nothing that only tests use (knip)", run: tool("knip/bin/knip.js", "--no-progress", "--no-config-hints", "--production") },
];

// npm run check: all checks that need no test runner.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  return (await runInParallel(tasks, { limit: 2 })) ? 0 : 1;
});
