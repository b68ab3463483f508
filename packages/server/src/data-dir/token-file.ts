import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { DataDirError } from "./data-dir-error.ts";
import { ensurePrivateFile } from "./private-path.ts";

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** The bearer token of this data dir: 256 bits, created once, stable across restarts. */
export function readOrCreateToken(path: string): string {
  const existing = readToken(path);
  if (existing !== undefined) return existing;
  createToken(path);
  const token = readToken(path);
  if (token === undefined) throw new DataDirError(`${path} disappeared while it was being created. Start again.`);
  return token;
}

function readToken(path: string): string | undefined {
  try {
    ensurePrivateFile(path);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  const token = readFileSync(path, "utf8").trim();
  if (!tokenPattern.test(token)) {
    throw new DataDirError(`${path} does not contain a token. Delete it: the next start creates a new one, and browsers sign in again.`);
  }
  return token;
}

/** Atomic: a crash leaves no empty token, and of two concurrent first starts one wins. */
function createToken(path: string): void {
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    // no line ending: programs copy the file's content to a header as it is
    writeFileSync(file, randomBytes(32).toString("base64url"));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    unlinkSync(draft);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
