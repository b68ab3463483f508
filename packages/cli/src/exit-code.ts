/** What the `skein` command ends with. */
export const exitCode = { success: 0, failed: 1, usage: 2, interrupted: 130 } as const;
