import type { BudgetWait, ParkedWait, RunningExecution } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { attemptsQuery } from "../api/queries.ts";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { HeldCard } from "../held/held-card.tsx";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { Button } from "../ui/button.tsx";
import { useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { LongText } from "../ui/long-text.tsx";
import { RenderBoundary } from "../ui/render-boundary.tsx";
import { useNow } from "../ui/use-now.ts";
import type { ConversationRow } from "./conversation-rows.ts";
import { ExecutionEnd } from "./execution-end.tsx";
import { HeldExecution } from "./held-execution.tsx";
import { MessageImages } from "./message-view.tsx";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { StoredRowView, toStoredText } from "./stored-row-view.tsx";
import type { TaskConversation } from "./use-task-conversation.ts";

export interface ConversationRowProps {
  row: ConversationRow;
  conversation: TaskConversation;
  onEdit(message: OutgoingMessage): void;
}

/** One row of the list, whatever it shows. A row that cannot be drawn takes no other with it. */
export function ConversationRowView(props: ConversationRowProps) {
  const { row } = props;
  return (
    <RenderBoundary raw={() => toRawText(row)} revision={row.kind === "message" ? row.message : row.key}>
      <Row {...props} />
    </RenderBoundary>
  );
}

function toRawText(row: ConversationRow): string {
  switch (row.kind) {
    case "message":
    case "group":
      return toStoredText(row);
    case "outgoing":
      return row.message.text;
    case "approval":
      return JSON.stringify(row.approval.input, null, 2);
    default:
      return "";
  }
}

function Row({ row, conversation, onEdit }: ConversationRowProps) {
  switch (row.kind) {
    case "message":
    case "group":
    case "cardless":
      return <StoredRowView row={row} />;
    case "execution-end":
      return (
        <ExecutionEnd
          execution={row.execution}
          onContinue={row.canContinue && conversation.canSendMessage ? (message) => void conversation.sendMessage(message) : undefined}
        />
      );
    case "approval":
      return <ApprovalCard active={row.active} approval={row.approval} />;
    case "working":
      return <Working since={row.since} waiting={row.waiting} />;
    case "held":
      return <HeldExecution executionId={row.executionId} wait={row.wait} />;
    case "blocked":
      return <BlockedExecution execution={row.execution} wait={row.wait} />;
    case "outgoing":
      return <Outgoing conversation={conversation} onEdit={onEdit} row={row} />;
  }
}

function BlockedExecution({ execution, wait }: { execution: RunningExecution; wait: BudgetWait | ParkedWait }) {
  const { data: attempts } = useQuery(attemptsQuery(execution.taskId));
  const agent = attempts?.find(({ id }) => id === execution.attemptId)?.agent ?? null;
  return <HeldCard active agent={agent} execution={execution} wait={wait} />;
}

function Working({ since, waiting }: { since: number; waiting: boolean }) {
  const text = useTaskText();
  const format = useFormats();
  const now = useNow(1000);
  return (
    <p className="flex min-h-9 items-center gap-2 px-2 text-ink-faint text-sm">
      {waiting ? <Icon className="text-warn" name="shield" size={15} /> : <Spinner size={15} />}
      {waiting ? text.conversation.statusWaiting : text.conversation.working}
      <span className="whitespace-nowrap tabular-nums">{format.elapsed(Math.max(0, now - since))}</span>
    </p>
  );
}

function Outgoing(props: {
  row: Extract<ConversationRow, { kind: "outgoing" }>;
  conversation: TaskConversation;
  onEdit(message: OutgoingMessage): void;
}) {
  const text = useTaskText();
  const describe = useErrorText();
  const { message } = props.row;
  const failed = message.state.kind === "failed";
  return (
    <article aria-label={text.conversation.you} className="mt-4 mb-3 flex flex-col items-end gap-1">
      <p
        className={`max-w-[85%] whitespace-pre-wrap rounded-2xl rounded-ee-md bg-hover px-3.5 py-2 [overflow-wrap:anywhere] ${failed ? "" : "opacity-70"}`}
      >
        <LongText id={message.commandId} text={message.text} />
      </p>
      <MessageImages images={message.images} />
      {message.state.kind === "failed" && (
        <div className="flex flex-wrap items-center justify-end gap-1 text-bad text-xs" role="alert">
          <Icon name="warning" size={13} />
          {text.app.labelled(text.composer.notSent, describe(message.state.error))}
          <Button className="h-7" look="quiet" onClick={() => void props.conversation.retry(message.commandId)}>
            {text.app.retry}
          </Button>
          <Button className="h-7" look="quiet" onClick={() => props.onEdit(message)}>
            {text.composer.backToComposer}
          </Button>
        </div>
      )}
    </article>
  );
}
