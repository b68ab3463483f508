import { ensureDependencies } from "./setup/dependencies.mjs";
import { runScript } from "./setup/fail.mjs";
import { continueOnOwnNode } from "./setup/own-node.mjs";

// npm run skein -- <command>: the command line from the sources.
await runScript(async () => {
  const installed = await ensureDependencies();
  await continueOnOwnNode({ force: installed });
  const { runCli } = await import("../packages/cli/bin/run-cli.mjs");
  return runCli(process.argv.slice(2));
});
