import { type TextOf, text } from "./text-shapes.ts";

const path = { path: text };

/** Why the user should be careful before allowing a tool. */
export const approvalWarningShapes = {
  "runs-as-other-user": {},
  "deletes-folders": {},
  "deletes-found-files": {},
  "runs-from-network": {},
  "overwrites-remote": {},
  "discards-changes": {},
  "overwrites-disk": {},
  "changes-file-system": {},
  "changes-rights": {},
  "turns-machine-off": {},
  "writes-to-device": {},
  "not-checked": {},
  "copies-itself": {},
  "git-file": path,
  "agent-settings-file": path,
  "editor-file": path,
  "package-file": path,
  "trusted-file": path,
  /** The agent names a permission and gives no reason. */
  "asks-for-permission": { agent: text, permission: text },
};

/** What a user should know before answering an approval. */
export type ApprovalWarning = TextOf<typeof approvalWarningShapes>;
