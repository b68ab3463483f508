import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** A pull request as the scripted forges keep it. */
export interface ScriptedPull {
  number: number;
  title: string;
  body: string;
  head: string;
  base: string;
  draft: boolean;
  state: "open" | "merged" | "closed";
  /** The commit of the head when it was merged or closed. */
  lastCommit: string | null;
  reviews: ScriptedReview[];
  createdAt: string;
}

/** A review with comments on lines, or, without a state, a comment in the conversation. */
export interface ScriptedReview {
  id: number;
  author: string;
  state?: "approved" | "changes-requested" | "commented";
  body: string;
  lines: { id: number; path: string; line: number; body: string }[];
  /** Of a bot. */
  isBot?: boolean;
  /** Of somebody who is no member of the repository. */
  isStranger?: boolean;
  at: string;
}

export interface ScriptedCheck {
  id: number;
  name: string;
  state: "pending" | "success" | "failure";
  summary: string;
  log: string;
}

const identity = {
  GIT_AUTHOR_NAME: "Forge",
  GIT_AUTHOR_EMAIL: "forge@example.invalid",
  GIT_COMMITTER_NAME: "Forge",
  GIT_COMMITTER_EMAIL: "forge@example.invalid",
};

/** What a scripted forge knows: one real bare repository, and the pull requests, checks and reviews of it. */
export class ForgeWorld {
  readonly pulls: ScriptedPull[] = [];
  readonly root: string;
  readonly path: string;
  readonly #checks = new Map<string, ScriptedCheck[]>();
  #serial = 100;
  #clock = Date.UTC(2026, 0, 1);

  /** `path` is `owner/name`. */
  constructor(root: string, path: string) {
    this.root = root;
    this.path = path;
    mkdirSync(join(root, `${path}.git`), { recursive: true });
    this.git("init", "--quiet", "--bare", "--initial-branch=main");
    this.git("config", "http.receivepack", "true");
  }

  git(...args: string[]): string {
    const cwd = join(this.root, `${this.path}.git`);
    return execFileSync("git", args, {
      cwd,
      encoding: "utf8",
      env: { ...process.env, ...identity },
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  }

  findCommit(branch: string): string | undefined {
    try {
      return this.git("rev-parse", "--verify", "--quiet", `refs/heads/${branch}^{commit}`);
    } catch {
      return undefined;
    }
  }

  /** Commits of `head` that `base` does not have. */
  countAhead(base: string, head: string): number {
    return Number(this.git("rev-list", "--count", `refs/heads/${base}..refs/heads/${head}`));
  }

  headCommit(pull: ScriptedPull): string {
    return pull.lastCommit ?? this.findCommit(pull.head) ?? "0".repeat(40);
  }

  getPull(number: number): ScriptedPull {
    const pull = this.pulls.find((one) => one.number === number);
    if (pull === undefined) throw new Error(`there is no pull request ${number}`);
    return pull;
  }

  openPull(input: Pick<ScriptedPull, "title" | "body" | "head" | "base" | "draft">): ScriptedPull {
    const pull: ScriptedPull = {
      ...input,
      number: this.pulls.length + 1,
      state: "open",
      lastCommit: null,
      reviews: [],
      createdAt: this.tick(),
    };
    this.pulls.push(pull);
    return pull;
  }

  checksOf(commit: string): ScriptedCheck[] {
    return this.#checks.get(commit) ?? [];
  }

  /** Sets a check of the newest commit of the pull request. */
  setCheck(number: number, check: Partial<ScriptedCheck> & Pick<ScriptedCheck, "name" | "state">): void {
    const commit = this.headCommit(this.getPull(number));
    const others = this.checksOf(commit).filter(({ name }) => name !== check.name);
    const known = this.checksOf(commit).find(({ name }) => name === check.name);
    this.#checks.set(commit, [...others, { summary: "", log: "", ...check, id: known?.id ?? this.nextId() }]);
  }

  addReview(
    number: number,
    { lines = [], ...review }: Omit<ScriptedReview, "id" | "lines" | "at"> & { lines?: { path: string; line: number; body: string }[] },
  ): void {
    const numbered = lines.map((line) => ({ ...line, id: this.nextId() }));
    this.getPull(number).reviews.push({ ...review, id: this.nextId(), lines: numbered, at: this.tick() });
  }

  /** Merges for real: the base branch of the bare repository has a merge commit then. */
  merge(number: number): void {
    const pull = this.getPull(number);
    const [base, head] = [this.findCommit(pull.base), this.headCommit(pull)];
    if (base === undefined) throw new Error(`there is no branch ${pull.base}`);
    const tree = this.git("merge-tree", "--write-tree", base, head);
    const commit = this.git("commit-tree", tree, "-p", base, "-p", head, "-m", `Merge pull request #${number}`);
    this.git("update-ref", `refs/heads/${pull.base}`, commit, base);
    Object.assign(pull, { state: "merged", lastCommit: head });
  }

  close(number: number): void {
    const pull = this.getPull(number);
    Object.assign(pull, { state: "closed", lastCommit: this.headCommit(pull) });
  }

  nextId(): number {
    return ++this.#serial;
  }

  /** Every event has another time. */
  tick(): string {
    this.#clock += 1000;
    return new Date(this.#clock).toISOString().replace(".000Z", "Z");
  }
}
