import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";
import { ensureWebBuild } from "./setup/web-build.mjs";

// npm start: installs what is missing, builds the web UI if needed, starts the server.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  await ensureWebBuild();
  const { runCli } = await import("../packages/cli/bin/run-cli.mjs");
  return runCli(["serve", ...process.argv.slice(2)]);
});
