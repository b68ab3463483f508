import { readFileSync } from "node:fs";
import { formatText } from "@skein/engine";
import { z } from "zod";
import { ensurePrivateFile } from "./private-path.ts";
import { writePrivateFile } from "./write-private-file.ts";

const mostVersions = 10;

/** What the user trusts of the programs and settings that repositories contain. */
export interface TrustFile<Entry> {
  /** Throws `TrustFileError` if the file cannot be read: nothing is trusted then. */
  list(): Entry[];
  /** Replaces the same version of the same subject. Each subject keeps its newest versions, at most 10. */
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
export function openTrustFile<Schema extends z.ZodType<{ trustedAt: number }>>(options: {
  path: string;
  entry: Schema;
  /** What is trusted. */
  toSubject(entry: z.output<Schema>): string;
  /** Which version of it. Default: there is only one. */
  toVersion?(entry: z.output<Schema>): string;
}): TrustFile<z.output<Schema>> {
  const { path, toSubject, toVersion = () => "" } = options;
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
    put(entry) {
      const isSubject = (other: z.output<Schema>) => toSubject(other) === toSubject(entry);
      const entries = [...read().filter((other) => !isSubject(other) || toVersion(other) !== toVersion(entry)), entry];
      const newest = entries.filter(isSubject).toSorted((a, b) => b.trustedAt - a.trustedAt);
      const dropped = new Set(newest.slice(mostVersions));
      write(
        path,
        entries.filter((other) => !dropped.has(other)),
      );
    },
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
