import type { Approval } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { attemptsQuery } from "../api/queries.ts";
import type { ApprovalAsk } from "../i18n/approval-ask.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { cutMiddle } from "../text/cut-middle.ts";
import { firstLine } from "../text/first-line.ts";
import { revealLine } from "../text/reveal-line.ts";
import { toApprovalAsk } from "./approval-ask.ts";
import type { ApprovalChange } from "./approval-change.ts";

const maxLength = 70;

/** “Run npm test?”. Only a title: the complete input is shown below it. */
export function useAskTitle(approval: Approval, change: ApprovalChange | null): string {
  const text = useTaskText();
  const { data: attempts } = useQuery(attemptsQuery(approval.taskId));
  const directory = attempts?.find(({ id }) => id === approval.attemptId)?.directory;
  return useMemo(() => text.approval.ask(toShort(toApprovalAsk(approval, change, directory))), [approval, change, directory, text]);
}

/** In one line, with nothing in it that cannot be seen. A command is cut at its end, a path in the middle. */
function toShort(ask: ApprovalAsk): ApprovalAsk {
  if (ask.subject === undefined) return ask;
  const first = firstLine(ask.subject, 4 * maxLength);
  const line = revealLine(ask.subject.trim().includes("\n") ? `${first.trimEnd()} …` : first);
  const isCommand = ask.action === "run" || ask.action === "start";
  return { ...ask, subject: isCommand ? firstLine(line, maxLength) : cutMiddle(line, maxLength) };
}
