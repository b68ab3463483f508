import path from "node:path";
import { pathToFileURL } from "node:url";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { ensureProgramBuild } from "./setup/program-build.mjs";
import { ensureWebBuild } from "./setup/web-build.mjs";

// npm start: installs what is missing, builds the web UI and the programs if needed, starts the server.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  await ensureWebBuild();
  const { runCli } = await import(pathToFileURL(path.join(await ensureProgramBuild(), "run-cli.js")).href);
  return runCli(["serve", ...process.argv.slice(2)]);
});
