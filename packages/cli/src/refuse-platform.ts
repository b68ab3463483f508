/** Why Skein does not run on a system, and what to do; undefined if it does. */
export function refusePlatform(platform: NodeJS.Platform): string | undefined {
  if (platform !== "win32") return undefined;
  return [
    "Skein does not run on Windows itself: it needs the processes, sockets and permissions of Linux or macOS.",
    "Use it in WSL 2: run `wsl --install` in PowerShell, open Ubuntu, install Node there, and start Skein in it. The browser of Windows can open it.",
  ].join("\n");
}
