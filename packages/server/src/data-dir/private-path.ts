import { chmodSync, lstatSync, mkdirSync, statSync } from "node:fs";
import { DataDirError } from "./data-dir-error.ts";

/** Creates the folder 0700 when it is missing; takes the access of others away when it is there. */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = statSync(path);
  if (!stats.isDirectory()) throw new DataDirError(`${path} is not a folder. Move it away, or set SKEIN_HOME to another folder.`);
  refuseOtherOwner(path, stats.uid);
  if (hasModes() && (stats.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
}

/** A secret that another user can read, or could have put there, is no secret. */
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

/** Windows has no mode bits: there the profile folder's access list protects the data dir. */
function hasModes(): boolean {
  return process.platform !== "win32";
}
