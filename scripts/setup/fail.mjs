/** An error that the user can fix: one sentence about the problem, then what to do. */
export class SetupError extends Error {
  name = "SetupError";
}

const windowsHint =
  "Skein does not run on Windows itself. Use it in WSL 2: run `wsl --install` in PowerShell, open Ubuntu, install Node there, and start Skein in it.";

/** Runs a script's main function; a SetupError ends it with its message alone, anything else with its stack. */
export async function runScript(main) {
  try {
    if (process.platform === "win32") throw new SetupError(windowsHint);
    const code = await main();
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
