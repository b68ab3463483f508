import type { AgentHint, NoticeText } from "@skein/contracts";
import { formatText } from "@skein/engine/format-text";

/** Why the conversation with an agent cannot continue. */
export class AcpFailure extends Error {
  override readonly name = "AcpFailure";
  readonly reason: NoticeText | AgentHint;
  readonly code: string;

  constructor(reason: NoticeText | AgentHint, code: string, options?: ErrorOptions) {
    super(formatText(reason), options);
    this.reason = reason;
    this.code = code;
  }
}
