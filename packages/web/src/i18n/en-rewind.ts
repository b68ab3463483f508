import { createPlural } from "./plural.ts";

const plural = createPlural("en");

/** Texts of restoring, forking and resending. Loaded with the first of these actions. */
export const rewindEn = {
  nothing: "There is nothing to go back to: no execution has ended yet.",
  restored: (count: number) => plural(count, { one: "Restored # file", other: "Restored # files" }),
  same: "The files are as they were then",
  forked: (number: number) => `Forked as attempt ${number}`,
  resendTitle: "Edit and resend",
  resendWhat: (number: number) =>
    `Starts a new attempt with the files and the conversation from before this message. Attempt ${number} stays as it is.`,
  message: "Message to send",
  resend: "Send in a new attempt",
};
export type RewindText = typeof rewindEn;
