/*
 * Runs in a terminal: starts a program in a sandbox that shares this terminal, and ends with it.
 */
import { startSandboxed } from "@skein/agents/sandbox";
import { parseSandboxOrder, sandboxVariable } from "@skein/agents/sandbox-order";

const { [sandboxVariable]: order, ...environment } = process.env;
const sandbox = parseSandboxOrder(order);
const { program, args } = JSON.parse(process.argv[2] ?? "") as { program: string; args: string[] };
if (sandbox === undefined) throw new Error("There is no order for the sandbox.");

// keys are signals for the programs in the sandbox
for (const signal of ["SIGINT", "SIGQUIT", "SIGTSTP", "SIGTTOU", "SIGTTIN"] as const) process.on(signal, () => {});
const known = Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined));
const child = startSandboxed(sandbox, { program, args, cwd: process.cwd(), environment: known }, { stdin: "terminal" });
child.once("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
child.once("exit", (exitCode, signal) => {
  if (signal !== null) console.error(signal);
  process.exit(exitCode ?? 1);
});
