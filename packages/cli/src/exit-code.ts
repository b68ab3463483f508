/** Exit codes of the `skein` command. */
export const exitCode = { success: 0, failed: 1, usage: 2, interrupted: 130 } as const;
