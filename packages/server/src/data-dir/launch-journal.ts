import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ExecutionId, executionIdSchema } from "@skein/contracts";
import { writePrivateFile } from "./write-private-file.ts";

/*
 * `<data dir>/launches` lists the executions that were started since the server began. It is stored next to the database and never
 * restored with it: a database that does not match it is an older copy, and nothing that this copy lists as running or queued is started
 * automatically (Q21). The first line has the matching epochs; then one line per started execution, with a leading `-` if it was deleted
 * later.
 */

export interface LaunchJournal {
  has(id: ExecutionId): boolean;
  /** Records that the agent of an execution was started. */
  note(id: ExecutionId): void;
  /** Records that the user deleted it: its absence from the database is then expected. It is not started again. */
  forget(id: ExecutionId): void;
}

export interface LaunchRecord {
  epochs: readonly string[];
  launched: ReadonlySet<ExecutionId>;
  /** Launched executions that were deleted since. */
  deleted: ReadonlySet<ExecutionId>;
}

export function readLaunches(home: string): LaunchRecord {
  const [epochs = "", ...lines] = read(join(home, "launches")).split("\n");
  const [launched, deleted] = [new Set<ExecutionId>(), new Set<ExecutionId>()];
  for (const line of lines) {
    const { data: id } = executionIdSchema.safeParse(line.replace(/^-/, ""));
    if (id !== undefined) (line.startsWith("-") ? deleted : launched).add(id);
  }
  return { epochs: epochs.split(" ").filter((epoch) => epoch !== ""), launched, deleted };
}

export function writeLaunches(home: string, { epochs, launched, deleted }: LaunchRecord): void {
  const lines = [epochs.join(" "), ...launched, ...[...deleted].map((id) => `-${id}`)];
  writePrivateFile(join(home, "launches"), `${lines.join("\n")}\n`);
}

/** Continues the journal of `writeLaunches`, and always includes `held`. A failed write does not stop a running agent. */
export function openLaunchJournal(home: string, held: Iterable<ExecutionId> = []): LaunchJournal {
  const launched = new Set([...readLaunches(home).launched, ...held]);
  const append = (line: string): void => {
    try {
      appendFileSync(join(home, "launches"), `${line}\n`, { mode: 0o600 });
    } catch {
      // disk full: the claim in the execution's folder has the same information
    }
  };
  return {
    has: (id) => launched.has(id),
    note(id) {
      launched.add(id);
      append(id);
    },
    forget(id) {
      if (launched.has(id)) append(`-${id}`);
    },
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}
