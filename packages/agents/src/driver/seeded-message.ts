import type { DriverOrder } from "./driver-order.ts";

/** The message for an agent that does not know what was said before: the transcript goes before it. */
export function toSeededMessage({ transcript, message }: Pick<DriverOrder, "transcript" | "message">): string {
  if (transcript === null) return message;
  return [
    "Here is what was said and done in this conversation before you joined it. The files are as it left them.",
    `<transcript>\n${transcript}\n</transcript>`,
    "Go on from there. The request now:",
    message,
  ].join("\n\n");
}
