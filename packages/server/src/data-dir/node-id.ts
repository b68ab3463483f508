import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createId, type NodeId, nodeIdSchema } from "@skein/contracts";
import { DataDirError } from "./data-dir-error.ts";
import { writePrivateFile } from "./write-private-file.ts";

/** The id of this server among those that share its database: made once, and kept in the data dir. Throws `DataDirError`. */
export function readOrCreateNodeId(home: string): NodeId {
  const path = join(home, "node-id");
  const stored = read(path);
  if (stored === undefined) {
    const id = createId("nod");
    writePrivateFile(path, `${id}\n`);
    return id;
  }
  const { data } = nodeIdSchema.safeParse(stored.trim());
  if (data !== undefined) return data;
  throw new DataDirError(
    `${path} does not contain the id of a server (nod_…). Restore it, or delete the file to register as a new server.`,
  );
}

/** The name of the machine. */
export const defaultNodeName = (): string => hostname();

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
