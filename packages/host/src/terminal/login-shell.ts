import { accessSync, constants } from "node:fs";
import { userInfo } from "node:os";
import { basename } from "node:path";

/** Shells that have no option for a login shell. */
const withoutLogin = new Set(["nu", "elvish", "xonsh", "pwsh"]);

/** The shell that the user gets at a login, as a login shell: it reads the user's profile. */
export function findLoginShell(environment: Readonly<Record<string, string | undefined>>): { program: string; args: string[] } {
  const program = [readUserShell(), environment.SHELL, "/bin/bash", "/bin/sh"].find(isUsable) ?? "/bin/sh";
  return { program, args: withoutLogin.has(basename(program)) ? [] : ["-l"] };
}

function readUserShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined; // a user without an entry, as in many containers
  }
}

function isUsable(path: string | undefined): path is string {
  // accounts that nobody logs in to
  if (path === undefined || !path.startsWith("/") || /\/(?:nologin|false)$/.test(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
