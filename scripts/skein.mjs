import path from "node:path";
import { pathToFileURL } from "node:url";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { ensureProgramBuild } from "./setup/program-build.mjs";

// npm run skein -- <command>: the command line, built from the current sources.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  const { runCli } = await import(pathToFileURL(path.join(await ensureProgramBuild(), "run-cli.js")).href);
  return runCli(process.argv.slice(2));
});
