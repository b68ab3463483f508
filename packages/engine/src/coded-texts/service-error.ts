import type { CodedText } from "@skein/contracts";
import { formatText } from "./format-text.ts";

/** A failure that the caller can fix. `text` explains the problem and the remedy, `message` is the same in English; codes are stable. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: "not-found" | "invalid" | "conflict" | "forbidden" | "unavailable";
  readonly text: CodedText;
  /** A command for a terminal that removes the cause. */
  readonly command: string | undefined;

  constructor(kind: ServiceError["kind"], text: CodedText, { command, cause }: { command?: string; cause?: unknown } = {}) {
    super(formatText(text), { cause });
    this.kind = kind;
    this.text = text;
    this.command = command;
  }

  get code(): CodedText["code"] {
    return this.text.code;
  }
}
