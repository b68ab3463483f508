import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";

interface Surroundings {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
  isTTY: boolean;
}

const here = (): Surroundings => ({ platform: process.platform, env: process.env, isTTY: process.stdout.isTTY === true });

/** Whether a user can see a browser here: not over SSH, in CI or in a pipe. */
export function canOpenBrowser({ platform, env, isTTY }: Surroundings = here()): boolean {
  if (!isTTY || env.SKEIN_NO_OPEN === "1" || env.CI) return false;
  if (platform === "darwin" || platform === "win32") return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** The program that opens an address, and its arguments; a shell never splits or interprets the address. */
export function browserCommand(url: string, platform: NodeJS.Platform): { command: string; args: string[] } {
  if (platform === "darwin") return { command: "open", args: [url] };
  // rundll32 takes the address verbatim; with `start`, cmd.exe would interpret `&` in it.
  if (platform === "win32") return { command: "rundll32.exe", args: ["url.dll,FileProtocolHandler", url] };
  return { command: "xdg-open", args: [url] };
}

/**
 * Opens an HTML file in the user's browser; if that fails, the printed link still works. A launch link itself is never passed to a
 * program: every user of the machine can read the arguments of all processes.
 */
export function openBrowser(file: string): void {
  const { command, args } = browserCommand(pathToFileURL(file).href, process.platform);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
