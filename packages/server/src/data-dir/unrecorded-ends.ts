import { mkdirSync, writeFileSync } from "node:fs";
import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { type ExecutionId, executionIdSchema } from "@skein/contracts";

/** Executions whose end has to be recorded, for the next server if this one is killed: `<data dir>/unrecorded` has one empty file each. */
export interface UnrecordedEnds {
  /** Throws if it cannot be written. */
  add(id: ExecutionId): void;
  list(): Promise<ExecutionId[]>;
  /** Never rejects. */
  remove(id: ExecutionId): Promise<void>;
}

export function openUnrecordedEnds(home: string): UnrecordedEnds {
  const folder = join(home, "unrecorded");
  return {
    add(id) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, id), "", { mode: 0o600 });
    },
    async list() {
      const names = await readdir(folder).catch(() => []);
      return names.flatMap((name) => executionIdSchema.safeParse(name).data ?? []);
    },
    remove: (id) => unlink(join(folder, id)).catch(() => {}),
  };
}
