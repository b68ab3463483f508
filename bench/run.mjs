import { writeFileSync } from "node:fs";
import os from "node:os";
import { ensureDependencies } from "../scripts/setup/dependencies.mjs";
import { runScript } from "../scripts/setup/fail.mjs";
import { continueOnOwnNode } from "../scripts/setup/own-node.mjs";
import { inRepository } from "../scripts/setup/repository.mjs";
import { ensureWebBuild } from "../scripts/setup/web-build.mjs";
import { formatResults, judge } from "./results-table.mjs";

// npm run bench: measures, prints a table, writes bench/results.json; fails when a target is missed.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  await ensureWebBuild();
  const { measureStartTime } = await import("./start-time.mjs");
  const { measureMemory } = await import("./memory.mjs");
  const { measureFirstLoad } = await import("./first-load.mjs");
  const { measureEngine } = await import("./engine/measure-engine.mjs");
  const { measureIngestion } = await import("./ingestion/measure-ingestion.mjs");
  const { measureImport } = await import("./import/measure-import.mjs");
  const { measureAgents } = await import("./agents/measure-agents.mjs");
  const { measureManyAgents } = await import("./agents/measure-many-agents.mjs");
  const { measureWeb } = await import("./web/measure-web.mjs");
  const { measureReconnection } = await import("./web/reaction.mjs");
  const { measureBoard } = await import("./size/measure-board.mjs");
  const { measureSize } = await import("./size/measure-size.mjs");

  const results = [];
  const measures = [
    measureStartTime,
    measureMemory,
    measureFirstLoad,
    measureEngine,
    measureIngestion,
    measureImport,
    measureAgents,
    measureManyAgents,
    measureWeb,
    measureReconnection,
    measureBoard,
    measureSize,
  ];
  for (const measure of measures) {
    const measured = await measureSafely(measure);
    console.log(formatResults(measured));
    results.push(...measured);
  }
  console.log(`\nAll of them:\n${formatResults(results)}\n`);
  const machine = { cpu: os.cpus()[0]?.model, cores: os.cpus().length, platform: `${os.platform()}-${os.arch()}`, node: process.version };
  writeFileSync(inRepository("bench/results.json"), `${JSON.stringify({ at: Date.now(), machine, results }, null, 2)}\n`);
  return results.every(({ met }) => met) ? 0 : 1;
});

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
