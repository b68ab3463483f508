import { readFileSync } from "node:fs";
import { formatText } from "@skein/engine";
import { z } from "zod";
import { ensurePrivateFile } from "./private-path.ts";
import { writePrivateFile } from "./write-private-file.ts";

/** What the user trusts of the programs and settings that repositories contain. */
export interface TrustFile<Entry> {
  /** Throws `TrustFileError` if the file cannot be read: nothing is trusted then. */
  list(): Entry[];
  /** Replaces the entry with the same key. */
  put(entry: Entry): void;
  /** Returns false if there was none. */
  remove(isIt: (entry: Entry) => boolean): boolean;
}

/** `message` explains how to fix the problem. */
export class TrustFileError extends Error {
  override readonly name = "TrustFileError";
  readonly path: string;

  constructor(path: string, options: { cause: unknown }) {
    super(formatText({ code: "trust-unreadable", path }), options);
    this.path = path;
  }
}

/**
 * Read on every call and written atomically: a crash leaves the old or the new file. Only one server uses the data dir, so there are no
 * concurrent writers.
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
