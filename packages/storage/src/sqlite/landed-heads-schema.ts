/**
 * The attempt's last commit when it was landed. For earlier landings it is known only if they were fast-forwards; for the others the commit
 * on the base branch, which the attempt's branch does not have, counts as unknown.
 */
export const landedHeadsSchema = `
ALTER TABLE landings ADD COLUMN head_id TEXT NOT NULL DEFAULT '';
UPDATE landings SET head_id = commit_id;
`;
