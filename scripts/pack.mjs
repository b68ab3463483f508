import { statSync } from "node:fs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { inRepository } from "./setup/repository.mjs";

// npm run pack: one npm package that runs on Node alone, in release/.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  const { packSkein } = await import("./setup/pack-skein.mjs"); // rolldown is there only now
  const file = await packSkein(inRepository("release"));
  console.log(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)`);
  console.log(`Try it anywhere: npx ${file}`);
});
