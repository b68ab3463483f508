import type { DriverOrder } from "./driver-order.ts";

/** The message for an agent that does not know the earlier conversation: preceded by its folder and the transcript. */
export function toSeededMessage({ transcript, message, directory }: Pick<DriverOrder, "transcript" | "message" | "directory">): string {
  if (transcript === null) return message;
  return [
    "Here is what was said and done in this conversation before you joined it.",
    `You work in the folder ${directory}. It has the files as the conversation left them. Read and change them there.`,
    `<transcript>\n${transcript}\n</transcript>`,
    "Continue from there. The request now:",
    message,
  ].join("\n\n");
}
