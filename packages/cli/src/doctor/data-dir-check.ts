import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import path from "node:path";
import type { Check } from "./check.ts";

/** The data dir contains the token and all conversations: only its owner may read it (0700, the token 0600). */
export async function checkDataDir(home: string): Promise<Check> {
  const name = "data dir";
  const folder = await stat(home).catch(() => undefined);
  if (folder === undefined) return { name, state: "ok", finding: `${home} (created at the first start)` };
  if (!folder.isDirectory())
    return { name, state: "fail", finding: `${home} is not a folder`, advice: "Choose another folder with SKEIN_HOME." };
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return { name, state: "fail", finding: `${home} is not writable`, advice: `Make this user its owner: sudo chown -R "$USER" '${home}'` };
  }
  const open = (await Promise.all([isOpen(home), isOpen(path.join(home, "token"))])).some(Boolean);
  if (open) return { name, state: "fail", finding: `${home} is readable by other users`, advice: `Restrict it: chmod -R go-rwx '${home}'` };
  return { name, state: "ok", finding: home };
}

async function isOpen(file: string): Promise<boolean> {
  if (process.platform === "win32") return false;
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}
