import { readFileSync } from "node:fs";
import { formatText } from "@skein/engine";
import { z } from "zod";
import { ensurePrivateFile } from "./private-path.ts";
import { writePrivateFile } from "./write-private-file.ts";

/** What a person trusts of what repositories bring along. */
export interface TrustFile<Entry> {
  /** Throws `TrustFileError` when it cannot be told: nothing is trusted then. */
  list(): Entry[];
  /** Takes the place of the entry about the same thing. */
  put(entry: Entry): void;
  /** False when there was none. */
  remove(isIt: (entry: Entry) => boolean): boolean;
}

/** `message` says what to do. */
export class TrustFileError extends Error {
  override readonly name = "TrustFileError";
  readonly path: string;

  constructor(path: string, options: { cause: unknown }) {
    super(formatText({ code: "trust-unreadable", path }), options);
    this.path = path;
  }
}

/**
 * Read anew each time, written whole: a crash leaves the old file or the new one. One server has the data dir, so nobody
 * else writes it.
 */
export function openTrustFile<Schema extends z.ZodType>(options: {
  path: string;
  entry: Schema;
  isSame(one: z.output<Schema>, other: z.output<Schema>): boolean;
}): TrustFile<z.output<Schema>> {
  const { path, isSame } = options;
  const fileSchema = z.object({ version: z.literal(1), trusted: z.array(options.entry) });

  function read(): z.output<Schema>[] {
    try {
      ensurePrivateFile(path);
      return fileSchema.parse(JSON.parse(readFileSync(path, "utf8"))).trusted;
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return [];
      throw new TrustFileError(path, { cause });
    }
  }

  return {
    list: read,
    put: (entry) => write(path, [...read().filter((other) => !isSame(other, entry)), entry]),
    remove(isIt) {
      const before = read();
      const after = before.filter((entry) => !isIt(entry));
      if (after.length < before.length) write(path, after);
      return after.length < before.length;
    },
  };
}

function write(path: string, trusted: readonly unknown[]): void {
  writePrivateFile(path, `${JSON.stringify({ version: 1, trusted }, null, 2)}\n`);
}
