import type { CodedText } from "@skein/contracts";
import { formatText } from "./format-text.ts";

/** A failure that the caller can fix. `text` explains the problem and the remedy, `message` is the same in English; codes are stable. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly kind: "not-found" | "invalid" | "conflict" | "forbidden" | "unavailable";
  readonly text: CodedText;

  constructor(kind: ServiceError["kind"], text: CodedText, options: { cause?: unknown } = {}) {
    super(formatText(text), options);
    this.kind = kind;
    this.text = text;
  }

  get code(): CodedText["code"] {
    return this.text.code;
  }
}
