import type { Approval, ApprovalDecision } from "@skein/contracts";
import { findPlan } from "@skein/engine";
import { useMemo, useRef, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { revealLine } from "../text/reveal-line.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { useIsTyping } from "../ui/use-is-typing.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { toApprovalChange } from "./approval-change.ts";
import { ApprovalFields } from "./approval-fields.tsx";
import { ApprovalFrame } from "./approval-frame.tsx";
import { cutRows } from "./approval-parts.ts";
import { toApprovalView } from "./approval-view.ts";
import { ChangePreview } from "./change-preview.tsx";
import { toGrantText } from "./grant-text.ts";
import { PlanCard } from "./plan-card.tsx";
import { QuestionCard } from "./question-card.tsx";
import { toQuestions } from "./question-form.ts";
import { RevealedText } from "./revealed-text.tsx";
import { ShowAllMark, ShownText } from "./shown-text.tsx";
import { TamperingWarning } from "./tampering-warning.tsx";
import { useAnswer } from "./use-answer.ts";
import { useAnswerGuard } from "./use-answer-guard.ts";
import { useAskTitle } from "./use-ask-title.ts";
import { useReveal } from "./use-reveal.ts";

/** What the agent waits for: an answer to its questions, a word about its plan, or leave to use a tool. */
export function ApprovalCard({
  approval,
  active = false,
}: {
  approval: Approval;
  /** The keys A, Shift+A and D are for it. */
  active?: boolean;
}) {
  const questions = useMemo(() => toQuestions(approval), [approval]);
  const plan = useMemo(() => findPlan(approval), [approval]);
  if (questions) return <QuestionCard active={active} approval={approval} questions={questions} />;
  if (plan) return <PlanCard active={active} approval={approval} plan={plan.text} />;
  return <PermissionCard active={active} approval={approval} />;
}

/** Everything the tool will be given, why it asks, and the answers. */
function PermissionCard({ approval, active }: { approval: Approval; active: boolean }) {
  const text = useText();
  const view = useMemo(() => toApprovalView(approval), [approval]);
  const [denying, setDenying] = useState(false);
  const [reason, setReason] = useState("");
  const { busy, error, answer: send } = useAnswer(approval.id);
  const always = approval.grant && toGrantText(approval.grant, text.grants);
  const change = useMemo(() => toApprovalChange(approval), [approval]);
  const fields = useMemo(() => view.fields.filter(({ name }) => !(change?.fields ?? []).includes(name)), [change, view]);
  const { hidden, size, isCut, showMore } = useReveal(approval, { view, change, fields });
  // What is dangerous, or has something to hide, is allowed only after all of it was on the screen.
  const mustRead = isCut && (approval.reason !== null || hidden.count > 0);
  const shownFields = cutRows(fields, size);

  const title = useAskTitle(approval, change);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another of these is another question
  const content = useMemo(() => ({}), [approval, change, title, size]);
  const guard = useAnswerGuard({ content, active });
  const allowButton = useRef<HTMLButtonElement>(null);

  const answer = (decision: ApprovalDecision) => send(reason.trim() === "" ? { decision } : { decision, reason: reason.trim() });
  const allow = () => (mustRead ? showMore() : void answer("allow"));
  /** A key for a card that is not on the screen brings it there. */
  const byKey = (act: () => void) => () => {
    if (guard.takesKeys && !busy) act();
    else if (!guard.isReady) allowButton.current?.scrollIntoView({ block: "nearest" });
  };
  const byClick = (act: () => void) => () => guard.isReady && act();
  const keys = { enabled: active, first: true };
  useShortcut("a", byKey(allow), keys);
  useShortcut(
    "A",
    byKey(() => always !== undefined && !mustRead && void answer("allow-always")),
    keys,
  );
  useShortcut(
    "d",
    byKey(() => setDenying(true)),
    keys,
  );
  const isTyping = useIsTyping();
  const showsKeys = active && !isTyping;
  const button = { "aria-disabled": !guard.isReady, disabled: busy };

  return (
    <ApprovalFrame
      active={active}
      aside={
        <span className="ms-auto max-w-[40%] shrink-0 truncate font-mono text-xs" title={text.approval.tool}>
          <span className="sr-only">{text.approval.tool}: </span>
          {revealLine(approval.toolName)}
        </span>
      }
      icon="shield"
      id={approval.id}
      takesKeys={guard.takesKeys}
      title={title}
      tone="warn"
    >
      <div className="space-y-2 px-3 py-3">
        <TamperingWarning approval={approval} />
        {approval.reason && (
          <p className="flex items-start gap-2 rounded-lg border border-warn/40 bg-warn-wash px-3 py-2 font-medium text-sm text-warn">
            <Icon className="mt-0.5" name="warning" size={15} />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <RevealedText text={text.coded(approval.reasonText, approval.reason)} />
            </span>
          </p>
        )}
        {view.command !== null && (
          <pre className="whitespace-pre-wrap rounded-lg border border-line bg-code px-3 py-2 font-mono text-[0.8rem] [overflow-wrap:anywhere]">
            <ShownText onShowAll={showMore} size={size} text={view.command} />
          </pre>
        )}
        {change && <ChangePreview change={change} onShowAll={showMore} size={size} />}
        {fields.length > 0 && (
          <>
            <ApprovalFields fields={shownFields.head} onShowAll={showMore} size={size} />
            {shownFields.hidden > 0 && <ShowAllMark onClick={showMore}>{text.approval.cutRows(shownFields.hidden)}</ShowAllMark>}
            <ApprovalFields fields={shownFields.tail} onShowAll={showMore} size={size} />
          </>
        )}
        {hidden.count > 0 && (
          <ErrorText>
            {text.approval.hidden(
              hidden.count,
              [...hidden.codePoints.slice(0, 5), ...(hidden.codePoints.length > 5 ? ["…"] : [])].join(", "),
            )}
          </ErrorText>
        )}
        {mustRead && <p className="text-sm text-warn">{text.approval.mustRead}</p>}
        {error && <ErrorText>{error}</ErrorText>}
        {denying && (
          <input
            aria-label={text.approval.reason}
            // biome-ignore lint/a11y/noAutofocus: it appears because the user asked for it
            autoFocus
            className="h-9 w-full rounded-md border border-line-strong bg-canvas px-2.5 text-sm placeholder:text-ink-faint"
            maxLength={10_000}
            onChange={(event) => setReason(event.target.value)}
            onKeyDown={(event) => {
              // the key that opened the field may still be held
              if (event.repeat && reason === "") event.preventDefault();
              else if (event.key === "Enter" && !event.nativeEvent.isComposing) void answer("deny");
              if (event.key === "Escape") setDenying(false);
            }}
            placeholder={text.approval.reasonPlaceholder}
            value={reason}
          />
        )}
        <div className="flex flex-wrap gap-2 pt-1" ref={guard.actions}>
          {!denying && (
            <Button {...button} look="primary" onClick={byClick(allow)} ref={allowButton}>
              {mustRead ? text.approval.showAll : text.approval.allow}
              {showsKeys && <KeyHint keys="A" />}
            </Button>
          )}
          <Button {...button} look="danger" onClick={byClick(() => (denying ? void answer("deny") : setDenying(true)))}>
            {text.approval.deny}
            {showsKeys && !denying && <KeyHint keys="D" />}
          </Button>
          {denying && (
            <Button disabled={busy} look="quiet" onClick={() => setDenying(false)}>
              {text.app.cancel}
            </Button>
          )}
          {always && !mustRead && !denying && (
            // Never cut: what is allowed permanently must be readable in full.
            <Button
              {...button}
              className="h-auto! min-h-8 pointer-coarse:min-h-11 whitespace-normal! py-1 text-start [overflow-wrap:anywhere]"
              onClick={byClick(() => void answer("allow-always"))}
            >
              {text.approval.always(always)}
              {showsKeys && <KeyHint keys="⇧A" />}
            </Button>
          )}
        </div>
      </div>
    </ApprovalFrame>
  );
}
