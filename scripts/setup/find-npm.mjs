import { existsSync } from "node:fs";
import path from "node:path";

/** npm's own script if npm started us, so that the same npm installs; otherwise the one on PATH. */
export function findNpm() {
  const script = process.env.npm_execpath;
  if (script !== undefined && path.basename(script) === "npm-cli.js" && existsSync(script)) {
    return { command: process.execPath, args: [script] };
  }
  // npm is a .cmd file on Windows, which only the command interpreter can start.
  return process.platform === "win32" ? { command: "cmd.exe", args: ["/d", "/s", "/c", "npm"] } : { command: "npm", args: [] };
}
