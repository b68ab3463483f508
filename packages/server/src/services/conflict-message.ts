import type { GitConflict } from "@skein/contracts";

/** What an agent is asked to do about a conflict. */
export function formatConflictMessage({ method, baseBranch, applying, files }: GitConflict): string {
  const open = files.filter(({ isResolved }) => !isResolved);
  const what =
    method === "rebase"
      ? `This branch is being rebased onto \`${baseBranch}\`${applying === null ? "" : `, and the commit “${applying.subject}” conflicts with it`}.`
      : `\`${baseBranch}\` is being merged into this branch, and there are conflicts.`;
  const list = open.map(({ path, kind }) => `- \`${path}\`: ${kinds[kind]}`).join("\n");
  return [
    what,
    `Resolve these files:\n${list}`,
    "Keep what both sides intended. Remove every conflict marker (`<<<<<<<`, `=======`, `>>>>>>>`). Edit only these files unless the resolution needs more, and do not run git commands that commit, merge, rebase or abort: that is done for you afterwards.",
  ].join("\n\n");
}

const kinds: Record<GitConflict["files"][number]["kind"], string> = {
  "both-changed": "changed on both sides; it has conflict markers",
  "both-added": "added on both sides; it has conflict markers",
  "deleted-by-us": "deleted on one side and changed on the other",
  "deleted-by-them": "deleted on one side and changed on the other",
  other: "renamed or changed in a way that could not be merged",
};
