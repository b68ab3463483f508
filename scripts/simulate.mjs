import path from "node:path";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { ensurePostgres } from "./setup/postgres.mjs";
import { ensureProgramBuild } from "./setup/program-build.mjs";

// npm run simulate: a cluster of real servers, workers, agents and clients under faults; `-- --help` lists the options.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  await ensurePostgres();
  const program = path.join(await ensureProgramBuild(), "skein.js");
  // late, as it is TypeScript, which the Node that starts this may not support
  const { runSimulation } = await import("../tests/simulate/run.ts");
  return runSimulation(process.argv.slice(2), program);
});
