import { CliError } from "../cli-error.ts";
import { createLaunchUrl } from "../client/create-launch-url.ts";
import { findRunningServer } from "../client/running-server.ts";
import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { canOpenBrowser, openBrowser } from "../terminal/open-browser.ts";

/** `skein open` */
export async function open(options: { home?: string; open: boolean }): Promise<number> {
  const home = resolveHome(options.home);
  const server = await findRunningServer(home);
  if (server === undefined) {
    throw new CliError(`No Skein server runs for ${home}.`, { hint: "Start one: skein serve (in the repository: npm start)" });
  }
  const url = await createLaunchUrl(server);
  console.log(url);
  if (options.open && canOpenBrowser()) openBrowser(url);
  return exitCode.success;
}
