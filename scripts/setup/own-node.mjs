import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import os from "node:os";
import { SetupError } from "./fail.mjs";
import { inRepository } from "./repository.mjs";

const executable = inRepository("node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");

/** The first release that runs TypeScript sources without a flag. */
const minimum = [22, 18];

function runsTypeScript(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
}

/** The Node that runs everything: the one in node_modules, otherwise this one if it is new enough. */
export function findNode() {
  if (existsSync(executable)) return executable;
  if (runsTypeScript(process.versions.node)) return process.execPath;
  throw new SetupError(
    `Skein needs Node ${minimum.join(".")} or newer; this is ${process.versions.node}, and the one of the npm package "node" is not installed. ` +
      "Install a newer Node (https://nodejs.org), or allow npm to run that package's install script, then start again.",
  );
}

/**
 * Continues in this process if it runs on the right Node, as it does under `npm run` once everything is installed;
 * otherwise runs the same script again on the right one and never returns.
 */
export async function continueOnOwnNode({ force = false } = {}) {
  const node = findNode();
  if (!force && realpathSync(node) === realpathSync(process.execPath)) return;
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => passOn(signal, child));
  child.once("error", (error) => {
    console.error(`${node} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.once("exit", (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)));
  await new Promise(() => {});
}

/** On a terminal, Ctrl-C reaches the child directly: if it were forwarded as well, it would count as the second one, which forces an exit. */
function passOn(signal, child) {
  if (signal === "SIGINT" && process.stdin.isTTY) return;
  child.kill(signal);
}
