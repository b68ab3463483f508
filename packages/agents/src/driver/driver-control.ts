import type { ImagePart, MessageId, PermissionMode } from "@skein/contracts";
import type { ApprovalAnswer } from "@skein/engine";

/**
 * Control messages of the server to a running driver, one JSON object per line. Each may arrive twice: the server repeats them after a
 * restart.
 */
export type DriverControl =
  | ({ type: "approval" } & ApprovalAnswer)
  /** A message of the user while the agent works. */
  | { type: "message"; id: MessageId; text: string; images: readonly ImagePart[] }
  | { type: "settings"; model: string | null; permissionMode: PermissionMode; agentMode?: string | null | undefined };

/** The line for a control message, with its line end. */
export function encodeDriverControl(control: DriverControl): string {
  return `${JSON.stringify(control)}\n`;
}
