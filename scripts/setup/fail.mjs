/** An error that the user can fix: one sentence about the problem, then what to do. */
export class SetupError extends Error {
  name = "SetupError";
}

/** Runs a script's main function; a SetupError ends it with its message alone, anything else with its stack. */
export async function runScript(main) {
  try {
    const code = await main();
    if (typeof code === "number") process.exitCode = code;
  } catch (error) {
    console.error(error instanceof SetupError ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
