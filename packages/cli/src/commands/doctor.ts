import type { Check, CheckState } from "../doctor/check.ts";
import { checkDataDir } from "../doctor/data-dir-check.ts";
import { checkBrowser, checkGit, checkNode, checkResourceLimits, checkSandbox } from "../doctor/machine-checks.ts";
import { checkServer } from "../doctor/server-checks.ts";
import { findServerPort } from "../doctor/server-port.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { choosePaint, type Paint } from "../terminal/style.ts";

/** `skein doctor`: fails if a requirement is missing or broken. */
export async function doctor(options: { home?: string }): Promise<number> {
  const home = resolveHome(options.home);
  const paint = choosePaint(process.stdout, process.env);
  const dataDir = await checkDataDir(home);
  // the server would not start on it, and reports less
  const server = dataDir.state === "fail" ? [] : await checkServer(home);
  // settings that cannot be read are reported by the check of the server
  const port = await findServerPort(home).catch(() => undefined);
  const checks = [
    checkNode(),
    await checkGit(),
    await checkSandbox(),
    await checkResourceLimits(),
    dataDir,
    ...server,
    checkBrowser({ port }),
  ];
  for (const check of checks) console.log(formatCheck(check, paint));
  return checks.some(({ state }) => state === "fail") ? exitCode.failed : exitCode.success;
}

function formatCheck({ name, state, finding, advice }: Check, paint: Paint): string {
  const colour = ({ ok: "green", warn: "yellow", fail: "red" } as const satisfies Record<CheckState, string>)[state];
  const line = `${paint(colour, state.padEnd(4))}  ${name.padEnd(18)}  ${finding}`;
  return advice === undefined ? line : `${line}\n${" ".repeat(26)}${paint("dim", advice)}`;
}
