import type { ImagePart, MessageId, PermissionMode } from "@skein/contracts";
import type { ApprovalAnswer } from "@skein/engine";

/** What the server sends to a driver at work, as lines of JSON. Each may come twice: the server sends them again after a restart. */
export type DriverControl =
  | ({ type: "approval" } & ApprovalAnswer)
  /** What the user says while the agent works. */
  | { type: "message"; id: MessageId; text: string; images: readonly ImagePart[] }
  | { type: "settings"; model: string | null; permissionMode: PermissionMode; agentMode?: string | null | undefined };

export function encodeDriverControl(control: DriverControl): string {
  return `${JSON.stringify(control)}\n`;
}
