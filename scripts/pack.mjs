import { statSync } from "node:fs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { inRepository } from "./setup/repository.mjs";

// npm run pack: the npm packages @skein/cli, which runs on Node alone, @skein/engine and @skein/client, in release/.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  const { packLibrary } = await import("./setup/pack-library.mjs"); // rolldown is there only now
  const { packSkein } = await import("./setup/pack-skein.mjs");
  for (const name of ["engine", "client"]) console.log(await packLibrary(name, inRepository("release")));
  const file = await packSkein(inRepository("release"));
  console.log(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)`);
  console.log(`Try it anywhere: npx ${file}`);
});
