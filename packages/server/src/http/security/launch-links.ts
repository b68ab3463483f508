import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecret } from "../../browser-secret.ts";
import { createLaunchCodes, launchCodeLifetimeMs } from "./launch-codes.ts";

/** Single-use links that sign a browser in. */
export interface LaunchLinks {
  /** `<origin>/launch#<code>`: browsers do not send fragments to servers, so the code appears in no log and no Referer header. */
  createUrl(): string;
  /**
   * Creates a 0600 HTML file that redirects to a new link, and returns its path. The path can be a program's argument, which every user
   * of the machine can read; the link cannot. The file is removed when the link was used or has expired.
   */
  createFile(): string;
  /** Returns true once per code. */
  redeem(code: string): boolean;
  /** Removes the files. */
  close(): void;
}

const fileName = /^open-\w+\.html$/;

/** `folder` returns a 0700 folder for the redirect files. */
export function createLaunchLinks(options: { origin: () => string; folder: () => string; now: () => number }): LaunchLinks {
  const codes = createLaunchCodes(options);
  const files = new Map<string, { path: string; expiry: NodeJS.Timeout }>();
  const toUrl = (code: string) => new URL(`/launch#${code}`, options.origin()).href;

  const removeFile = (code: string) => {
    const file = files.get(code);
    if (file === undefined) return;
    files.delete(code);
    clearTimeout(file.expiry);
    rmSync(file.path, { force: true });
  };
  /** Removes files of a killed server, whose codes are invalid. */
  const removeLeftovers = (folder: string) => {
    const own = new Set([...files.values()].map(({ path }) => path));
    for (const name of readdirSync(folder)) {
      if (fileName.test(name) && !own.has(join(folder, name))) rmSync(join(folder, name), { force: true });
    }
  };

  return {
    createUrl: () => toUrl(codes.create()),
    createFile() {
      const folder = options.folder();
      removeLeftovers(folder);
      const code = codes.create();
      const path = join(folder, `open-${createSecret("launch").slice(4, 20).replaceAll("-", "_")}.html`);
      writeFileSync(path, redirectPage(toUrl(code)), { flag: "wx", mode: 0o600 });
      files.set(code, { path, expiry: setTimeout(() => removeFile(code), launchCodeLifetimeMs).unref() });
      return path;
    },
    redeem(code) {
      if (!codes.redeem(code)) return false;
      removeFile(code);
      return true;
    },
    close() {
      for (const code of [...files.keys()]) removeFile(code);
    },
  };
}

/** Replaces its own history entry, so that the browser's back button skips it. */
function redirectPage(url: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Skein</title>
<script>location.replace(${JSON.stringify(url)});</script>
<noscript><meta http-equiv="refresh" content="0;url=${url}"></noscript>
</head>
<body><p><a href="${url}">Open Skein</a></p></body>
</html>
`;
}
