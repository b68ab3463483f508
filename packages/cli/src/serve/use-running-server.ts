import { createLaunchLink } from "../client/create-launch-link.ts";
import { findRunningServer } from "../client/running-server.ts";
import { exitCode } from "../exit-code.ts";
import { canOpenBrowser, openBrowser } from "../terminal/open-browser.ts";

/** A second `serve` on a data dir opens the first one. Throws `alreadyRunning` when that does not respond. */
export async function useRunningServer(home: string, alreadyRunning: Error, flags: { open: boolean }): Promise<number> {
  const running = await findRunningServer(home);
  if (running === undefined) throw alreadyRunning;
  const { url, redirectFile } = await createLaunchLink(running, { redirectFile: flags.open && canOpenBrowser() });
  console.log(`Skein is already running for ${home}.\n\n  Open   ${url}\n`);
  if (redirectFile !== undefined) openBrowser(redirectFile);
  return exitCode.success;
}
