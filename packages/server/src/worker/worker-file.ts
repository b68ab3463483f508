import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hostIdSchema } from "@skein/contracts";
import { z } from "zod";
import { DataDirError } from "../data-dir/data-dir-error.ts";
import { writePrivateFile } from "../data-dir/write-private-file.ts";

const workerFileSchema = z.object({
  server: z.string(),
  /** Further servers of the same database. */
  others: z.array(z.string()).exactOptional(),
  /** Chosen by the worker; the server has only its hash. */
  credential: z.string(),
  /** Absent until the server has accepted the worker. */
  id: hostIdSchema.exactOptional(),
  /** SHA-256 of the code that it was invited with. */
  code: z.string().exactOptional(),
  name: z.string().exactOptional(),
  tags: z.array(z.string()).exactOptional(),
  capacity: z.int().positive().exactOptional(),
});
export type WorkerFile = z.infer<typeof workerFileSchema>;

/** What a worker keeps: `<data dir>/worker.json`, 0600. Undefined before its first start. */
export function readWorkerFile(home: string): WorkerFile | undefined {
  const path = join(home, "worker.json");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return workerFileSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DataDirError(`${path} cannot be read. Remove it, and invite the worker again: skein workers invite`, { cause });
  }
}

export function writeWorkerFile(home: string, file: WorkerFile): void {
  writePrivateFile(join(home, "worker.json"), `${JSON.stringify(file, null, 2)}\n`);
}

export function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

export function createCredential(): string {
  return randomBytes(32).toString("base64url");
}
