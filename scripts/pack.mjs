import { statSync } from "node:fs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { inRepository } from "./setup/repository.mjs";

// npm run pack: the npm packages @skein/cli, which runs on Node alone, and @skein/engine, in release/.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  const { packEngine } = await import("./setup/pack-engine.mjs"); // rolldown is there only now
  const { packSkein } = await import("./setup/pack-skein.mjs");
  console.log(await packEngine(inRepository("release")));
  const file = await packSkein(inRepository("release"));
  console.log(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)`);
  console.log(`Try it anywhere: npx ${file}`);
});
