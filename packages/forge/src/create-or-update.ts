import type { Forge, NewPullRequest } from "./forge.ts";
import { ForgeError } from "./forge-error.ts";

interface CreateOrUpdate extends Pick<Forge, "findPullRequest" | "updatePullRequest"> {
  /** Sends the request, and returns the number. */
  create(): Promise<number>;
  /** A more exact error for a rejection that is not about an existing pull request. */
  explain?(error: ForgeError, reason: string): ForgeError | undefined;
}

/** Creates a pull request. If the branch has one, because somebody was faster or the number was lost, that one is updated. */
export async function createOrUpdate(
  { title, body, head, base }: NewPullRequest,
  { create, explain, findPullRequest, updatePullRequest }: CreateOrUpdate,
): ReturnType<Forge["createPullRequest"]> {
  try {
    return { number: await create(), outcome: "created" };
  } catch (error) {
    if (!(error instanceof ForgeError) || error.failure.code !== "forge-rejected") throw error;
    const explained = explain?.(error, error.failure.said);
    if (explained !== undefined) throw explained;
    const number = await findPullRequest({ head });
    if (number === undefined) throw error;
    await updatePullRequest({ number, title, body, base });
    return { number, outcome: "updated" };
  }
}
