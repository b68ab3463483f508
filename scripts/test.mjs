import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { ensureAgentClis } from "./setup/agent-clis.mjs";
import { ensureHeadlessChromium } from "./setup/chromium.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript, SetupError } from "./setup/fail.mjs";
import { ensureGitLfs } from "./setup/git-lfs.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { ensurePostgres } from "./setup/postgres.mjs";
import { inRepository, root } from "./setup/repository.mjs";
import { runInteractive } from "./setup/run-command.mjs";
import { Steps } from "./setup/steps.mjs";
import { TestSummary } from "./setup/test-summary.mjs";
import { ensureWebBuild } from "./setup/web-build.mjs";

const parts = ["check", "unit", "integration", "browser", "agents"];

/** Tests mostly wait for processes, pages and models that stream slowly: with as many workers as cores, half of the machine would be idle. */
const leastWorkers = { unit: 2, integration: 4, browser: 3, agents: 3 };

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
  const workers = (project) => `--maxWorkers=${Math.max(leastWorkers[project], availableParallelism() - 1)}`;
  const reporters = ["--reporter=default", `--reporter=${inRepository("scripts/setup/summary-reporter.mjs")}`];
  const vitest = (project, extra = {}) =>
    runInteractive(
      process.execPath,
      [inRepository("node_modules/vitest/vitest.mjs"), "run", "--project", project, workers(project), ...reporters, ...chosen],
      { cwd: root, env: { ...env, ...extra, SKEIN_TEST_SUMMARY: summary.fileFor(project) } },
    );

  const steps = new Steps();
  if (only.includes("check")) {
    await steps.run("check", () => runInteractive(process.execPath, [inRepository("scripts/check.mjs")], { cwd: root }));
  }
  if (only.includes("unit")) await steps.run("unit tests", () => vitest("unit"));
  const needsWeb = only.includes("integration") || only.includes("browser");
  const webBuilt = needsWeb && (await steps.run("web build", async () => void (await ensureWebBuild())));
  if (only.includes("integration")) {
    await ensureGitLfs();
    await steps.run("Postgres", async () => void (await ensurePostgres()));
    await steps.run("integration tests", () => vitest("integration"));
  }
  if (only.includes("browser")) {
    let chromium;
    const found = await steps.run("Chromium", async () => {
      chromium = await ensureHeadlessChromium();
      console.log(chromium);
    });
    if (found && webBuilt) await steps.run("browser tests", () => vitest("browser", { CHROMIUM_PATH: chromium }));
    else steps.skip("browser tests", "not run: a requirement is missing, see above");
  }

  if (only.includes("agents")) {
    let clis;
    const found = await steps.run("agents' programs", async () => {
      clis = await ensureAgentClis();
    });
    if (found) {
      await steps.run("tests with real agents", () => vitest("agents", { SKEIN_TEST_CLIS: clis }));
      await steps.run(write ? "docs/agents.md is written" : "docs/agents.md is up to date", () =>
        updateMatrix(summary.agentCells(), { write }),
      );
    } else steps.skip("tests with real agents", "not run: a requirement is missing, see above");
  }

  console.log(`\n${summary.format()}\n\n${steps.table()}\n`);
  return steps.allPassed ? 0 : 1;
});
