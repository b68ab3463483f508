import { existsSync } from "node:fs";
import { canUseApt, runApt } from "./apt.mjs";
import { SetupError } from "./fail.mjs";
import { withProgress } from "./progress.mjs";
import { printLine } from "./step-output.mjs";

const headlessShell = "/usr/bin/chromium-headless-shell";
const usualPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** The path of a Chromium on this machine, or undefined. If `CHROMIUM_PATH` is set, only that is used. */
export function findChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (existsSync(chosen)) return chosen;
    throw new SetupError(`CHROMIUM_PATH is ${chosen}, which does not exist.`);
  }
  return usualPlaces.find((place) => existsSync(place));
}

/**
 * For tests: Chromium's headless shell if it is installed or can be. It renders and runs pages in the same way and needs
 * half the processor time for each new page.
 */
export async function ensureHeadlessChromium() {
  if (process.env.CHROMIUM_PATH) return ensureChromium();
  if (!existsSync(headlessShell) && canUseApt()) {
    // Ubuntu has no such package: the full Chromium works as well, only slower
    await withProgress({ doing: "Installing Chromium's headless shell with apt-get", done: "Done" }, async () => {
      if (findChromium() === undefined) await runApt(["update", "-q"]);
      await runApt(["install", "-q", "-y", "--no-install-recommends", "chromium-headless-shell"]);
    });
  }
  return existsSync(headlessShell) ? headlessShell : ensureChromium();
}

/** Finds a Chromium, or installs Debian's where that is possible. */
export async function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (!canUseApt()) {
    throw new SetupError(
      "The browser tests need Chromium or Chrome, and none was found. Install one, or set CHROMIUM_PATH to its program; " +
        "the other tests run without it: npm test -- --only check,unit,integration",
    );
  }
  const doing = "Installing Chromium with apt-get (about a minute, needs the network)";
  await withProgress({ doing, done: "Installed" }, async () => {
    // a source that does not respond is no reason to stop: the packages may come from another one
    await apt(["update", "-q"]).catch(() => {});
    await apt(["install", "-q", "-y", "--no-install-recommends", "chromium"]);
    // without it, only pictures of Chinese pages look worse
    await apt(["install", "-q", "-y", "--no-install-recommends", "fonts-noto-cjk"]).catch(() => {});
  });
  const installed = findChromium();
  if (installed === undefined) throw new SetupError("apt-get installed chromium, but its program is not in /usr/bin. Set CHROMIUM_PATH.");
  return installed;
}

async function apt(args) {
  const { code, tail } = await runApt(args);
  if (code === 0) return;
  printLine(tail);
  throw new SetupError(`apt-get ${args.join(" ")} failed. Install Chromium by hand, or set CHROMIUM_PATH.`);
}
