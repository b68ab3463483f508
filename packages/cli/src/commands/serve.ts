import { flushCompileCache } from "node:module";
import { loadConfig, type RunningServer, ServerAlreadyRunningError, startServer } from "@skein/server";
import { exitCode } from "../exit-code.ts";
import { formatGreeting } from "../format/greeting.ts";
import { type ServeFlags, toConfigFlags } from "../serve/config-flags.ts";
import { explainListenError } from "../serve/listen-error.ts";
import { releaseMemoryAtRest } from "../serve/release-memory.ts";
import { collectInOneThread } from "../serve/tune-collector.ts";
import { useRunningServer } from "../serve/use-running-server.ts";
import { onInterrupt } from "../terminal/interrupts.ts";
import { canOpenBrowser, openBrowser } from "../terminal/open-browser.ts";
import { keepServingWithoutOutput } from "../terminal/output-errors.ts";
import { choosePaint } from "../terminal/style.ts";
import { version } from "../version.ts";
import { findWebRoot } from "../web-root.ts";

/** `skein serve`: runs until Ctrl-C. `onReady` is called once the server answers. */
export async function serve(flags: ServeFlags, { onReady }: { onReady: () => void }): Promise<number> {
  collectInOneThread();
  const options = { ...loadConfig(toConfigFlags(flags)), webRoot: findWebRoot() };
  const interrupted = untilInterrupted();
  let server: RunningServer;
  try {
    server = await startServer({ ...options, keepsProcessAlive: true });
  } catch (error) {
    if (error instanceof ServerAlreadyRunningError) return useRunningServer(options.home, error, flags);
    throw explainListenError(error, options) ?? error;
  }
  const launchUrl = (await server.findSignInUrl?.()) ?? server.createLaunchUrl();
  const paint = choosePaint(process.stdout, process.env);
  console.log(formatGreeting({ version, launchUrl, home: options.home, hasWeb: options.webRoot !== null }, paint));
  keepServingWithoutOutput();
  const fault = server.describeFault();
  if (fault !== undefined) console.error(`Skein cannot save anything: ${fault} Until then it is read-only.\n`);
  if (flags.open && canOpenBrowser() && server.findSignInUrl === undefined) tryOpenBrowser(server);
  // Otherwise it is written only when the process ends, which a server may never reach.
  flushCompileCache();
  onReady();
  releaseMemoryAtRest();
  await interrupted;
  await stop(server);
  return exitCode.success;
}

/** A failure is only reported, since the link is printed anyway. */
function tryOpenBrowser(server: RunningServer): void {
  try {
    openBrowser(server.createLaunchFile());
  } catch (error) {
    console.error(`The browser could not be opened (${error instanceof Error ? error.message : String(error)}).`);
  }
}

/** Resolves at the first Ctrl-C, also while the server starts; the second one exits at once. */
function untilInterrupted(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onInterrupt((count) => {
    if (count > 1) process.exit(exitCode.interrupted);
    resolve();
  });
  return promise;
}

async function stop(server: RunningServer): Promise<void> {
  const running = await server.countRunningExecutions().catch(() => 0);
  if (running === 1) console.log("\nStopping. One agent keeps running in the background; the next start reconnects to it.");
  else if (running > 1) console.log(`\nStopping. ${running} agents keep running in the background; the next start reconnects to them.`);
  else console.log("\nStopping.");
  await server.close();
}
