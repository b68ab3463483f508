import { type AgentHint, codedTextSchema } from "@skein/contracts";
import { AgentUnusableError, ServiceError } from "@skein/engine";
import type { WireError } from "./link-message.ts";

/** Names of errors that receivers recognise. */
const knownNames = new Set(["GitError", "LinkProtocolError"]);

/** The receiver gets expected failures unchanged, and system error codes. Stack traces are not sent. */
export function toWireError(error: unknown): WireError {
  if (error instanceof ServiceError) {
    const { kind, text, message, command } = error;
    return { type: "service", kind, text, message, ...(command === undefined ? {} : { command }) };
  }
  if (error instanceof AgentUnusableError) return { type: "agent", hint: error.hint, message: error.message };
  if (!(error instanceof Error)) return { type: "other", name: "Error", message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  return { type: "other", name: error.name, message: error.message, ...(typeof code === "string" ? { code } : {}) };
}

/** A text that this release does not know is shown in English. */
export function fromWireError(error: WireError): Error {
  if (error.type === "service") {
    const text = codedTextSchema.safeParse(error.text);
    const { command } = error;
    if (text.success) return new ServiceError(error.kind, text.data, command === undefined ? {} : { command });
  }
  if (error.type === "agent") {
    const hint = codedTextSchema.safeParse(error.hint);
    if (hint.success) return new AgentUnusableError(hint.data as AgentHint);
  }
  const received = new Error(error.message);
  if (error.type !== "other") return received;
  if (knownNames.has(error.name)) received.name = error.name;
  return Object.assign(received, error.code === undefined ? {} : { code: error.code });
}
