import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ExecutionId, executionIdSchema } from "@skein/contracts";
import { writePrivateFile } from "./write-private-file.ts";

/*
 * `<data dir>/launches` says which executions were started since the server began. It is written next to the database and never
 * restored with it: a database that does not fit to it is an older copy, and nothing that it calls running or waiting is
 * started by itself (Q21). The first line names the epochs that fit; a line each for an execution that was started, with a
 * leading `-` for one that was deleted since.
 */

export interface LaunchJournal {
  has(id: ExecutionId): boolean;
  /** Once its agent was started. */
  note(id: ExecutionId): void;
  /** The user deletes it: that the database does not know it means nothing from now on. It is not started again either. */
  forget(id: ExecutionId): void;
}

export interface LaunchRecord {
  epochs: readonly string[];
  launched: ReadonlySet<ExecutionId>;
  /** Of those that were launched: the latest database does not know them. */
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

/** Goes on with what `writeLaunches` wrote, and `held` in any case. A note that cannot be written is no reason to stop an agent that runs. */
export function openLaunchJournal(home: string, held: Iterable<ExecutionId> = []): LaunchJournal {
  const launched = new Set([...readLaunches(home).launched, ...held]);
  const append = (line: string): void => {
    try {
      appendFileSync(join(home, "launches"), `${line}\n`, { mode: 0o600 });
    } catch {
      // a full disk: the claim in the execution's folder says the same
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
