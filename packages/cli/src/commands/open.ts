import { CliError } from "../cli-error.ts";
import { createLaunchLink } from "../client/create-launch-link.ts";
import { findRunningServer } from "../client/running-server.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { canOpenBrowser, openBrowser } from "../terminal/open-browser.ts";

/** `skein open` */
export async function open(options: { home?: string; open: boolean }): Promise<number> {
  const home = resolveHome(options.home);
  const server = await findRunningServer(home);
  if (server === undefined) {
    throw new CliError(`No Skein server is running for ${home}.`, { hint: "Start one: skein serve" });
  }
  const { url, redirectFile } = await createLaunchLink(server, { redirectFile: options.open && canOpenBrowser() });
  console.log(url);
  if (redirectFile !== undefined) openBrowser(redirectFile);
  return exitCode.success;
}
