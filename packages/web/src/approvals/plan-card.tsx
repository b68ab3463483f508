import type { Approval, WorkingMode } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { toModeWords, workingModes } from "../agents/mode-hint.ts";
import { agentsQuery, attemptsQuery } from "../api/queries.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Button } from "../ui/button.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { useIsTyping } from "../ui/use-is-typing.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { ApprovalFrame } from "./approval-frame.tsx";
import { countHiddenIn } from "./approval-parts.ts";
import { toPlanAnswer, toWorkingMode } from "./plan-answer.ts";
import { PlanField } from "./plan-field.tsx";
import { TamperingWarning } from "./tampering-warning.tsx";
import { useAnswer } from "./use-answer.ts";
import { useAnswerGuard } from "./use-answer-guard.ts";

/** A plan that waits for the user: approved as it is or edited, with how to carry it out, or sent back with feedback. */
export function PlanCard({ approval, plan, active }: { approval: Approval; plan: string; active: boolean }) {
  const text = useTaskText();
  const words = text.plan.card;
  const { busy, error, answer } = useAnswer(approval.id);
  const [draft, setDraft] = useState<string | null>(null);
  const [feedback, setFeedback] = useState<string | null>(null);
  const { modes, mode, setMode } = useModes(approval);
  const hidden = useMemo(() => countHiddenIn([plan]), [plan]);
  const edited = draft !== null && draft.trim() !== "" && draft !== plan;
  const hint = modes.find(({ value }) => value === mode)?.hint;

  const approve = () => void answer(toPlanAnswer({ plan, draft, mode }));
  const sendBack = () => void answer({ decision: "deny", ...(feedback?.trim() ? { reason: feedback.trim() } : {}) });
  const guard = useAnswerGuard({ content: approval, active });
  const showsKeys = !useIsTyping() && active;
  const byClick = (act: () => void) => () => guard.isReady && act();
  useShortcut("a", approve, { enabled: guard.takesKeys && !busy && feedback === null, first: true });
  useShortcut("e", () => setDraft(draft ?? plan), { enabled: active && !busy, first: true });
  useShortcut("d", () => setFeedback(feedback ?? ""), { enabled: active && !busy, first: true });

  return (
    <ApprovalFrame active={active} icon="plan" id={approval.id} takesKeys={guard.takesKeys} title={words.title} tone="accent">
      <div className="space-y-3 px-3 py-3">
        <TamperingWarning approval={approval} />
        {draft === null ? (
          <ScrollBox className="max-h-[60vh] rounded-lg border border-line px-3 py-2">
            {/* its own: the inbox has none above it */}
            <DisclosureProvider>
              <Markdown id={`${approval.id}:plan`} text={plan} />
            </DisclosureProvider>
          </ScrollBox>
        ) : (
          <PlanField
            label={words.editing}
            onCancel={() => setDraft(draft === plan ? null : draft)}
            onChange={setDraft}
            onSubmit={approve}
            rows={14}
            value={draft}
          />
        )}
        {hidden.count > 0 && <ErrorText>{text.approval.hidden(hidden.count, hidden.codePoints.slice(0, 5).join(", "))}</ErrorText>}
        {feedback !== null && (
          <PlanField
            label={words.replyLabel}
            onCancel={() => setFeedback(feedback === "" ? null : feedback)}
            onChange={setFeedback}
            onSubmit={sendBack}
            placeholder={words.replyPlaceholder}
            rows={3}
            value={feedback}
          />
        )}
        {feedback === null && (
          <div>
            <ChoiceGroup choices={modes} label={words.continueWith} onChange={(value) => setMode(value)} value={mode} />
            {hint && <p className="mt-1 text-ink-faint text-xs">{hint}</p>}
          </div>
        )}
        {error && <ErrorText>{error}</ErrorText>}
        <div className="flex flex-wrap gap-2" ref={guard.actions}>
          {feedback === null ? (
            <>
              <Button aria-disabled={!guard.isReady} disabled={busy} look="primary" onClick={byClick(approve)}>
                {edited ? words.approveEdited : words.approve}
                {showsKeys && <KeyHint keys="A" />}
              </Button>
              {draft === null ? (
                <Button disabled={busy} onClick={() => setDraft(plan)}>
                  {words.edit}
                  {showsKeys && <KeyHint keys="E" />}
                </Button>
              ) : (
                <Button disabled={busy} look="quiet" onClick={() => setDraft(null)}>
                  {words.discard}
                </Button>
              )}
              <Button disabled={busy} onClick={() => setFeedback("")}>
                {words.reply}
                {showsKeys && <KeyHint keys="D" />}
              </Button>
            </>
          ) : (
            <>
              <Button aria-disabled={!guard.isReady} disabled={busy} look="primary" onClick={byClick(sendBack)}>
                {feedback.trim() === "" ? words.reply : words.send}
              </Button>
              <Button disabled={busy} look="quiet" onClick={() => setFeedback(null)}>
                {text.app.cancel}
              </Button>
            </>
          )}
        </div>
      </div>
    </ApprovalFrame>
  );
}

/** The modes to carry a plan out in, and the one that is chosen: until the user chooses, what they work with otherwise. */
function useModes({ taskId, attemptId }: Approval) {
  const text = useTaskText();
  const { data: list } = useQuery(agentsQuery);
  const { data: attempts } = useQuery(attemptsQuery(taskId));
  const [chosen, setMode] = useState<WorkingMode | null>(null);
  const attempt = attempts?.find(({ id }) => id === attemptId);
  const agent = list?.agents.find(({ id }) => id === attempt?.agent);
  const modes = workingModes.map((value) => ({ value, ...toModeWords(agent, value, text) }));
  return { modes, mode: chosen ?? toWorkingMode(attempt?.permissionMode, list?.defaultPermissionMode), setMode };
}
