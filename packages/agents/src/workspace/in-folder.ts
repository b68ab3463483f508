import { lstatSync, statSync } from "node:fs";
import { parse, sep } from "node:path";

/**
 * Runs `work` with the folder `absolute` as working folder, entered step by step: each step is verified, so that no symlink is followed,
 * even if one is created in the meantime. For systems without `/proc/self/fd`. Synchronous, because the working folder belongs to the
 * whole process; `work` uses names without a path.
 *
 * @throws an error with code `ELOOP` if a step is not a folder, or was replaced.
 */
export function inFolder<T>(absolute: string, work: () => T): T {
  const before = process.cwd();
  const { root } = parse(absolute);
  try {
    process.chdir(root);
    for (const step of absolute.slice(root.length).split(sep)) if (step !== "") enter(step);
    return work();
  } finally {
    process.chdir(before);
  }
}

function enter(step: string): void {
  const named = lstatSync(step);
  if (named.isDirectory()) {
    process.chdir(step);
    const entered = statSync(".");
    if (entered.dev === named.dev && entered.ino === named.ino) return;
  }
  throw Object.assign(new Error(`${step} was replaced`), { code: "ELOOP" });
}
