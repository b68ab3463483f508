import type { ForgeKind, ForgePullRequest, PullRequestCheck } from "@skein/contracts";

/** A repository on a forge, and how its API is reached. */
export interface ForgeRepository {
  kind: ForgeKind;
  /** As in the remote's address, with its port. */
  host: string;
  /** `owner/name`; with GitLab also deeper. */
  path: string;
  /** Base address of the API, without a slash at its end. */
  apiUrl: string;
}

/** What a pull request is created with. */
export interface NewPullRequest {
  title: string;
  body: string;
  /** A branch that was pushed to the repository. */
  head: string;
  base: string;
  draft: boolean;
}

/** A field that is left out stays as it is. */
export interface PullRequestChanges {
  title?: string | undefined;
  body?: string | undefined;
  base?: string | undefined;
  draft?: boolean | undefined;
}

/**
 * One repository on a forge. Requests that fail reject with a `ForgeError`. Reading is conditional: what the forge reports as unchanged
 * is answered from memory, so that polling costs little on either side.
 */
export interface Forge {
  /** The number of the open pull request of a branch. */
  findPullRequest(query: { head: string }): Promise<number | undefined>;
  /** Returns the number. If the branch has an open pull request already, that one is updated instead. */
  createPullRequest(input: NewPullRequest): Promise<{ number: number; outcome: "created" | "updated" }>;
  updatePullRequest(input: { number: number } & PullRequestChanges): Promise<void>;
  /** State, checks and comments. Checks and comments of one that is merged or closed are not read. */
  readPullRequest(query: { number: number }): Promise<ForgePullRequest>;
  /** The end of the log of a failed check, or what the forge has instead; an empty text if there is nothing. */
  readCheckLog(check: PullRequestCheck): Promise<string>;
}
