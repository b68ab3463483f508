import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { ensureAgentClis } from "./setup/agent-clis.mjs";
import { ensureBubblewrap } from "./setup/bubblewrap.mjs";
import { ensureHeadlessChromium } from "./setup/chromium.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript, SetupError } from "./setup/fail.mjs";
import { ensureGitLfs } from "./setup/git-lfs.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { ensurePostgres } from "./setup/postgres.mjs";
import { inRepository, root } from "./setup/repository.mjs";
import { runCommand, runInteractive } from "./setup/run-command.mjs";
import { printLine } from "./setup/step-output.mjs";
import { Steps } from "./setup/steps.mjs";
import { TestSummary } from "./setup/test-summary.mjs";
import { ensureWebBuild } from "./setup/web-build.mjs";

const parts = ["check", "unit", "integration", "browser", "agents"];

/**
 * Two steps run at a time, and tests mostly wait for processes, pages and models that stream slowly: with fewer workers, a part of the
 * machine would be idle.
 */
const leastWorkers = { unit: 2, integration: 3, browser: 3, agents: 3 };
const stepsAtOnce = 2;

const usage = `npm test [-- [--only ${parts.join(",")}] [--long] [--write] [file name filters …]]`;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        only: { type: "string" },
        long: { type: "boolean", default: false },
        // also runs the long tests, and writes the results of the tests with real agents to docs/agents.md
        write: { type: "boolean", default: false },
      },
    });
    const only = values.only === undefined ? parts : values.only.split(",");
    const unknown = only.filter((part) => !parts.includes(part));
    if (unknown.length > 0) throw new Error(`There is no part "${unknown.join(", ")}".`);
    return { only, long: values.long || values.write, write: values.write, filters: positionals };
  } catch (error) {
    throw new SetupError(`${error.message}\nUsage: ${usage}`);
  }
}

/** Loaded late: it imports TypeScript, which the Node that starts this may not support. */
async function updateMatrix(cells, { write }) {
  const { compareWithMatrix, writeMatrix } = await import("./agent-matrix.mjs");
  if (write) writeMatrix(cells);
  else compareWithMatrix(cells);
}

// npm test: all checks and tests, also on a fresh clone.
await runScript(async () => {
  const { only, long, write, filters } = readArguments();
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });

  const env = { ...process.env, ...(long ? { SKEIN_TEST_LONG: "1" } : {}) };
  // A filter may match tests of one project only; without one, a project without tests is an error.
  const chosen = filters.length > 0 ? ["--passWithNoTests", ...filters] : [];
  const summary = new TestSummary();
  const workers = (project) => `--maxWorkers=${Math.max(leastWorkers[project], Math.ceil(availableParallelism() * 0.6))}`;
  const reporters = ["--reporter=default", `--reporter=${inRepository("scripts/setup/summary-reporter.mjs")}`];
  const steps = new Steps({ atOnce: stepsAtOnce });
  // a single part may use the terminal, where Vitest shows what is running
  const run = only.length === 1 ? runInteractive : async (...command) => (await runCommand(...command)).code;
  const vitest = (project, extra = {}, more = []) =>
    run(
      process.execPath,
      [inRepository("node_modules/vitest/vitest.mjs"), "run", "--project", project, ...more, workers(project), ...reporters, ...chosen],
      { cwd: root, env: { ...env, ...extra, SKEIN_TEST_SUMMARY: summary.fileFor(project) } },
    );

  const isWanted = (part) => only.includes(part);
  if (isWanted("check")) {
    steps.add("check", () => run(process.execPath, [inRepository("scripts/check.mjs")], { cwd: root }));
  }
  if (isWanted("unit")) steps.add("unit tests", () => vitest("unit"));
  if (isWanted("integration") || isWanted("browser")) {
    steps.add("web build", async () => void (await ensureWebBuild()), { isSetUp: true });
  }
  if (isWanted("integration") || isWanted("browser")) steps.add("Postgres", ensurePostgres, { isSetUp: true });
  if (isWanted("integration")) {
    steps.add("Git LFS", ensureGitLfs, { isSetUp: true });
    steps.add("bubblewrap", ensureBubblewrap, { isSetUp: true });
    // without them, only the tests that need them are skipped
    steps.add("integration tests", () => vitest("integration", {}, ["--project", "postgres"]), {
      after: ["web build", "Git LFS", "bubblewrap", "Postgres"],
    });
  }
  if (isWanted("agents")) {
    let clis;
    const install = async () => {
      clis = await ensureAgentClis();
    };
    steps.add("agents' programs", install, { isSetUp: true });
    steps.add("tests with real agents", () => vitest("agents", { SKEIN_TEST_CLIS: clis }), { needs: ["agents' programs"] });
    steps.add(write ? "docs/agents.md is written" : "docs/agents.md is up to date", () => updateMatrix(summary.agentCells(), { write }), {
      needs: ["agents' programs"],
      after: ["tests with real agents"],
      isSetUp: true,
    });
  }
  if (isWanted("browser")) {
    let chromium;
    const find = async () => {
      chromium = await ensureHeadlessChromium();
      printLine(chromium);
    };
    steps.add("Chromium", find, { isSetUp: true });
    steps.add("browser tests", () => vitest("browser", { CHROMIUM_PATH: chromium }, ["--project", "browser-postgres"]), {
      needs: ["web build", "Chromium"],
      after: ["Postgres"],
    });
  }
  await steps.run();

  console.log(`\n${summary.format()}\n\n${steps.table()}\n`);
  return steps.allPassed ? 0 : 1;
});
