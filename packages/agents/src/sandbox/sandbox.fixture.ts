import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { checkSandboxSupport } from "./find-bubblewrap.ts";
import type { SandboxOrder } from "./sandbox-order.ts";
import { startSandboxed } from "./start-program.ts";

/** Whether sandboxes work here. `npm test` installs bubblewrap where it can. */
export const hasSandbox = (await checkSandboxSupport()).state === "supported";

export interface SandboxPlace {
  /** Writable. */
  workspace: string;
  /** Hidden; has a file `token`. */
  secrets: string;
  /** Neither. */
  outside: string;
  order: SandboxOrder;
}

/**
 * Not below a temporary folder: those are empty in a sandbox, so attempts to read or write there would prove nothing. A checkout may be in one;
 * then in the home folder of the account, which `HOME` does not change.
 */
const placesParent = /^\/(?:tmp|var\/tmp|dev)\//.test(import.meta.dirname)
  ? join(userInfo().homedir, ".cache/skein-sandbox-places")
  : join(import.meta.dirname, "../../../../node_modules/.cache/sandbox-places");
/** Of this test file: others run, and clean up, at the same time. */
const placesFolder = join(placesParent, String(process.pid));

export function newPlaceFolder(): string {
  mkdirSync(placesFolder, { recursive: true });
  return mkdtempSync(join(placesFolder, "sandbox-"));
}

/** Folders as an attempt has them. */
export function createPlace(changes: Partial<SandboxOrder> = {}): SandboxPlace {
  const root = newPlaceFolder();
  const [workspace, secrets, outside] = ["workspace", "secrets", "outside"].map((name) => join(root, name)) as [string, string, string];
  for (const folder of [root, workspace, secrets, outside]) mkdirSync(folder, { recursive: true, mode: 0o777 });
  writeFileSync(join(secrets, "token"), "secret token");
  writeFileSync(join(workspace, ".git"), "gitdir: elsewhere\n");
  const order: SandboxOrder = {
    mounts: [
      { path: workspace, access: "write" },
      { path: join(workspace, ".git"), access: "read" },
      { path: secrets, access: "none" },
      // the checkout may be in a folder that looks empty
      { path: process.execPath, access: "read" },
    ],
    hosts: [],
    ...changes,
  };
  return { workspace, secrets, outside, order };
}

export interface SandboxedRun {
  exitCode: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** Runs a bash script in a sandbox, in its own process group. */
export async function runSandboxed(
  { workspace, order }: SandboxPlace,
  script: string,
  { onStarted }: { onStarted?: (pid: number) => void } = {},
): Promise<SandboxedRun> {
  const environment = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
  const child = startSandboxed(order, { program: "/bin/bash", args: ["-c", script], cwd: workspace, environment }, { stdin: "ignore" });
  if (child.pid !== undefined) onStarted?.(child.pid);
  const ended = new Promise<Pick<SandboxedRun, "exitCode" | "signal">>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const [stdout, stderr, end] = await Promise.all([text(child.stdout as Readable), text(child.stderr as Readable), ended]);
  return { ...end, stdout, stderr };
}

export const removePlaces = () => rmSync(placesFolder, { recursive: true, force: true });
