import type { Approval } from "@skein/contracts";
import { presentTool } from "@skein/engine";
import type { ApprovalAsk } from "../i18n/approval-ask.ts";
import type { ApprovalChange } from "./approval-change.ts";
import { toApprovalView } from "./approval-view.ts";

type Asked = Pick<Approval, "toolName" | "input" | "overwrites">;

/** Computed from the tool's input, never from the agent's description. `directory` is what paths are shown relative to. */
export function toApprovalAsk(approval: Asked, change: ApprovalChange | null, directory: string | undefined): ApprovalAsk {
  const { toolName, input, overwrites } = approval;
  const { summary } = presentTool({ toolName, input, output: "", isError: false, state: "running" });
  const { command } = toApprovalView({ input });
  if (command !== null) return { action: summary.action === "start" ? "start" : "run", subject: command };
  if (change) return toChangeAsk(change, { isWrite: summary.action === "write", overwrites, directory });
  const { action, subject, count } = summary;
  // a title is written by the agent: what happens may be something else
  if (action === "titled" || action === "text") return { action: "call", subject: toolName };
  return {
    action,
    ...(subject === undefined ? {} : { subject: action === "fetch" ? toHost(subject) : toRelative(subject, directory) }),
    ...(count === undefined ? {} : { count }),
  };
}

function toChangeAsk(
  { files }: ApprovalChange,
  { isWrite, overwrites, directory }: { isWrite: boolean; overwrites: boolean | undefined; directory: string | undefined },
): ApprovalAsk {
  const [first] = files;
  if (!first || files.length > 1) {
    const isAll = (kind: (typeof files)[number]["kind"]) => files.every((file) => file.kind === kind && file.movedTo === null);
    return { action: isAll("added") ? "create" : isAll("deleted") ? "delete" : "update", count: files.length };
  }
  const subject = toRelative(first.path, directory);
  if (first.movedTo !== null) return { action: "move", subject: `${subject} → ${toRelative(first.movedTo, directory)}` };
  if (first.kind === "added") return { action: "create", subject };
  if (first.kind === "deleted") return { action: "delete", subject };
  if (!isWrite) return { action: "update", subject };
  return { action: overwrites === undefined ? "write" : overwrites ? "overwrite" : "create", subject };
}

function toRelative(path: string, directory: string | undefined): string {
  return directory !== undefined && path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path;
}

/** The name of the server, as the browser reads it: what else is in an address can be made to look like another one. */
function toHost(address: string): string {
  return URL.canParse(address) ? new URL(address).host || address : address;
}
