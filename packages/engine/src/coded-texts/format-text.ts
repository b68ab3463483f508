import type { MessageText } from "@skein/contracts";
import { agentHintFormats } from "./agent-hint-formats.ts";
import { approvalWarningFormats } from "./approval-warning-formats.ts";
import { noticeFormats } from "./notice-formats.ts";
import { problemFormats } from "./problem-formats.ts";
import { repositoryFormats } from "./repository-formats.ts";
import { createTextFormatter } from "./text-formats.ts";

/** Formats any coded text in English. */
export const formatEnglish = createTextFormatter({
  ...agentHintFormats,
  ...approvalWarningFormats,
  ...noticeFormats,
  ...problemFormats,
  ...repositoryFormats,
});

/** Formats a text in English. A string, which is a quotation, is returned unchanged. */
export function formatText(text: MessageText): string {
  return typeof text === "string" ? text : formatEnglish(text, text.code);
}
