import { ForgeError } from "./forge-error.ts";

/**
 * Rejects a pull request without commits, which some forges would open, and one whose base branch does not exist. `countCommits` compares
 * the branches; it rejects with `forge-not-found` if there is no such base.
 */
export async function assertCommits({ host, base }: { host: string; base: string }, countCommits: () => Promise<number>): Promise<void> {
  const count = await countCommits().catch((error: unknown) => {
    if (error instanceof ForgeError && error.code === "forge-not-found") throw new ForgeError({ code: "forge-no-base", host, base });
    throw error;
  });
  if (count === 0) throw new ForgeError({ code: "forge-no-commits", base });
}
