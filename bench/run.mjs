import { writeFileSync } from "node:fs";
import os from "node:os";
import { ensureDependencies } from "../scripts/setup/dependencies.mjs";
import { runScript, SetupError } from "../scripts/setup/fail.mjs";
import { continueOnOwnNode } from "../scripts/setup/own-node.mjs";
import { inRepository } from "../scripts/setup/repository.mjs";
import { ensureWebBuild } from "../scripts/setup/web-build.mjs";
import { formatResults, judge } from "./results-table.mjs";

// npm run bench: measures, prints a table, writes bench/results.json; fails when a target is missed.
// npm run bench -- size web: measures only these parts, and writes no file; their names are in measures.mjs.
// npm run bench -- --smoke: runs every measure with tiny sizes; fails when one of them does not work. `npm test` runs it.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  await ensureWebBuild();
  const parts = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  return process.argv.includes("--smoke") ? runSmoke(parts) : runAll(parts);
});

async function runAll(parts) {
  const results = [];
  for (const { measure } of await selectMeasures(parts)) {
    const measured = await measureSafely(measure);
    console.log(formatResults(measured));
    results.push(...measured);
  }
  console.log(`\nAll of them:\n${formatResults(results)}\n`);
  const machine = { cpu: os.cpus()[0]?.model, cores: os.cpus().length, platform: `${os.platform()}-${os.arch()}`, node: process.version };
  if (parts.length === 0) {
    writeFileSync(inRepository("bench/results.json"), `${JSON.stringify({ at: Date.now(), machine, results }, null, 2)}\n`);
  }
  return results.every(({ met }) => met) ? 0 : 1;
}

/** All of them unless some are named. */
async function selectMeasures(parts) {
  // late, as it imports TypeScript, which the Node that starts this may not support
  const { measures } = await import("./measures.mjs");
  const unknown = parts.find((part) => !measures.some(({ name }) => name === part));
  if (unknown !== undefined) {
    throw new SetupError(`There is no part “${unknown}”. There are: ${measures.map(({ name }) => name).join(", ")}.`);
  }
  return measures.filter(({ name }) => parts.length === 0 || parts.includes(name));
}

/** A measure that fails is one line that was missed: the others are still measured. */
async function measureSafely(measure) {
  try {
    return [await measure()].flat().map(judge);
  } catch (error) {
    console.error(error);
    const note = String(error).split("\n")[0];
    return [{ name: `${measure.name} failed`, value: Number.NaN, unit: "", target: 0, note, met: false }];
  }
}

/** All at once: nobody reads the figures. */
async function runSmoke(parts) {
  const problems = await Promise.all((await selectMeasures(parts)).map(findProblem));
  for (const problem of problems) if (problem !== undefined) console.error(problem);
  return problems.every((problem) => problem === undefined) ? 0 : 1;
}

async function findProblem({ measure, smoke }) {
  try {
    const results = [await measure(smoke)].flat();
    if (results.length === 0) return `${measure.name} has no result.`;
    const wrong = results.filter(({ name, value, target, note }) => !name || !note || !Number.isFinite(value) || !Number.isFinite(target));
    return wrong.length === 0 ? undefined : `${measure.name}:\n${JSON.stringify(wrong, null, 2)}`;
  } catch (error) {
    return `${measure.name}: ${error.stack}`;
  }
}
