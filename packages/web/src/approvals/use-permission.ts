import type { Approval, ApprovalDecision } from "@skein/contracts";
import { type RefObject, useMemo, useRef, useState } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { useIsTyping } from "../ui/use-is-typing.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { type ApprovalChange, toApprovalChange } from "./approval-change.ts";
import { toApprovalView } from "./approval-view.ts";
import { toGrantText } from "./grant-text.ts";
import { useAnswer } from "./use-answer.ts";
import { useAnswerGuard } from "./use-answer-guard.ts";
import { useAskTitle } from "./use-ask-title.ts";
import { useReveal } from "./use-reveal.ts";

/** The state and the actions of a card that asks to use a tool. */
export interface Permission extends ReturnType<typeof useReveal> {
  title: ReturnType<typeof useAskTitle>;
  command: string | null;
  change: ApprovalChange | null;
  /** The input that neither the command nor the change shows. */
  fields: ReturnType<typeof toApprovalView>["fields"];
  /** What is dangerous, or has something to hide, is allowed only after all of it was on the screen. */
  mustRead: boolean;
  /** What “always” would allow; undefined if it is not offered. */
  always: string | undefined;
  error: string | null;
  isBusy: boolean;
  isReady: boolean;
  takesKeys: boolean;
  showsKeys: boolean;
  isDenying: boolean;
  reason: string;
  setReason(reason: string): void;
  /** Shows more of the input while `mustRead`. */
  allow(): void;
  allowAlways(): void;
  startDenying(): void;
  cancelDenying(): void;
  deny(): void;
  actions: ReturnType<typeof useAnswerGuard>["actions"];
  allowButton: RefObject<HTMLButtonElement | null>;
}

/** Decides what a permission card shows and does; A, Shift+A and D answer the active card. */
export function usePermission(approval: Approval, active: boolean): Permission {
  const text = useTaskText();
  const view = useMemo(() => toApprovalView(approval), [approval]);
  const [isDenying, setDenying] = useState(false);
  const [reason, setReason] = useState("");
  const { busy, error, answer: send } = useAnswer(approval.id);
  const change = useMemo(() => toApprovalChange(approval), [approval]);
  const fields = useMemo(() => view.fields.filter(({ name }) => !(change?.fields ?? []).includes(name)), [change, view]);
  const reveal = useReveal(approval, { view, change, fields });
  const mustRead = reveal.isCut && (approval.reason !== null || reveal.hidden.count > 0);
  const always = approval.grant && toGrantText(approval.grant, text.grants);
  const title = useAskTitle(approval, change);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another of these is another question
  const content = useMemo(() => ({}), [approval, change, title, reveal.size]);
  const guard = useAnswerGuard({ content, active });
  const allowButton = useRef<HTMLButtonElement>(null);
  const isTyping = useIsTyping();

  const answer = (decision: ApprovalDecision) => void send(reason.trim() === "" ? { decision } : { decision, reason: reason.trim() });
  const allow = () => (mustRead ? reveal.showMore() : answer("allow"));
  const allowAlways = () => answer("allow-always");
  const startDenying = () => setDenying(true);
  /** A key for a card that is not on the screen brings it there. */
  const byKey = (act: () => void) => () => {
    if (guard.takesKeys && !busy) act();
    else if (!guard.isReady) allowButton.current?.scrollIntoView({ block: "nearest" });
  };
  const keys = { enabled: active, first: true };
  useShortcut("a", byKey(allow), keys);
  useShortcut(
    "A",
    byKey(() => always !== undefined && !mustRead && allowAlways()),
    keys,
  );
  useShortcut("d", byKey(startDenying), keys);

  return {
    ...reveal,
    title,
    command: view.command,
    change,
    fields,
    mustRead,
    always,
    error,
    isBusy: busy,
    isReady: guard.isReady,
    takesKeys: guard.takesKeys,
    showsKeys: active && !isTyping,
    isDenying,
    reason,
    setReason,
    allow,
    allowAlways,
    startDenying,
    cancelDenying: () => setDenying(false),
    deny: () => answer("deny"),
    actions: guard.actions,
    allowButton,
  };
}
