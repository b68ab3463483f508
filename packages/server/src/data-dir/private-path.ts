import { chmodSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { DataDirError } from "./data-dir-error.ts";

/** Creates a folder with mode 0700, or removes the access of others from an existing one. */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = statSync(path);
  if (!stats.isDirectory()) throw new DataDirError(`${path} is not a folder. Move it away, or set SKEIN_HOME to another folder.`);
  refuseOtherOwner(path, stats.uid);
  if (hasModes() && (stats.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
}

/** Rejects a secret file that another user owns, and removes the access of others. */
export function ensurePrivateFile(path: string): void {
  const stats = lstatSync(path);
  if (!stats.isFile()) throw new DataDirError(`${path} is not a regular file. Delete it: the next start creates a new one.`);
  refuseOtherOwner(path, stats.uid);
  if (hasModes() && (stats.mode & 0o777) !== 0o600) chmodSync(path, 0o600);
}

function refuseOtherOwner(path: string, owner: number): void {
  const self = process.getuid?.();
  if (self === undefined || owner === self) return;
  throw new DataDirError(
    `${path} belongs to another user (uid ${owner}, you are uid ${self}). Use a folder that you own (SKEIN_HOME), or take ownership of this one: chown -R ${self} '${path}'`,
  );
}

/** Windows has no mode bits: there the ACL of the profile folder protects the data dir. */
function hasModes(): boolean {
  return process.platform !== "win32";
}
