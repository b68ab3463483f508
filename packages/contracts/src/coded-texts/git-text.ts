import { count, type TextOf, text } from "./text-shapes.ts";

const base = { base: text };
const path = { path: text };
const host = { host: text };

/** What prevents an operation on an attempt's branch. */
export const gitObstacleShapes = {
  "agent-working": {},
  "nothing-to-commit": {},
  "nothing-to-land": base,
  uncommitted: { files: count },
  "behind-base": { ...base, behind: count },
  "in-conflict": {},
  "detached-head": {},
  "unborn-branch": {},
  "no-base-branch": {},
  "base-gone": base,
  "base-checked-out-dirty": { ...base, ...path },
  "base-checked-out-elsewhere": { ...base, ...path },
  "base-not-fast-forward": base,
  "no-identity": {},
  "no-remote": {},
  "no-credential": host,
  "index-locked": path,
  "in-place": {},
  shallow: {},
  "uses-lfs": { directory: text },
  "git-too-old": { version: text },
};

/** Why such an operation, or a part of a review, failed. */
export const gitFailureShapes = {
  "git-failed": { directory: text, reason: text },
  "operation-interrupted": { reason: text },
  "hook-refused": { hook: text, output: text },
  "hook-timed-out": { hook: text, minutes: count },
  "changed-since": path,
  "files-changed": {},
  "files-in-the-way": { directory: text, names: text },
  "ref-moved": { branch: text },
  "safety-ref-gone": {},
  "not-recorded": {},
  "no-conflict": {},
  "no-conflict-in-file": path,
  "unresolved-files": { names: text },
  "not-landed": {},
  "ssh-refused": host,
  "ssh-host-unknown": host,
  "no-ssh": host,
  "push-declined": { ...host, branch: text, said: text },
  "push-rejected": { ...host, branch: text },
  "no-network": host,
  "remote-gone": { url: text },
  "push-failed": { ...host, said: text },
  "no-such-lines": path,
  "comment-sent": {},
  "comment-not-sent": {},
  "empty-review": {},
};

/** What keeps an operation on a branch from being carried out. */
export type GitObstacleText = TextOf<typeof gitObstacleShapes>;
/** Any text about an attempt's branch or review. */
export type GitText = GitObstacleText | TextOf<typeof gitFailureShapes>;
