import type { AttemptId, ConversationMessage } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/api.ts";
import type { Dictionary } from "../i18n/en.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Button } from "../ui/button.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";

export interface SummaryProps {
  message: Extract<ConversationMessage, { messageType: "summary" }>;
  undoIn: AttemptId | null;
}

/** What the agent gets instead of the messages before: one line until it is opened. */
export function Summary({ message, undoIn }: SummaryProps) {
  const text = useTaskText();
  const describe = useErrorText();
  const [open, setOpen] = useDisclosure(message.id);
  const [undone, setUndone] = useDisclosure(`${message.id}:undone`);
  const client = useQueryClient();
  const [error, setError] = useState<string | null>(null);
  const undo = (attemptId: AttemptId) => {
    setError(null);
    api.undoCompression(attemptId).then(
      () => {
        setUndone(true);
        void client.invalidateQueries({ queryKey: ["compression", attemptId] });
      },
      (failure: unknown) => setError(describe(failure)),
    );
  };
  return (
    <>
      <div className="flex items-center gap-2 text-ink-faint text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        <button
          aria-expanded={open}
          className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-1.5 rounded-md px-1 hover:text-ink"
          onClick={() => setOpen(!open)}
          type="button"
        >
          <Icon className={`transition-transform ${open ? "rotate-90" : ""}`} name="chevronRight" size={12} />
          {text.conversation.summary(message.metadata.messageCount)}
        </button>
        {undoIn && !undone && (
          <Button className="h-7 px-2! text-xs!" look="quiet" onClick={() => undo(undoIn)} title={text.conversation.undoSummaryHint}>
            {text.conversation.undoSummary}
          </Button>
        )}
      </div>
      {undone && <p className="text-center text-ink-faint text-xs">{text.conversation.summaryUndone}</p>}
      {error && <ErrorText>{error}</ErrorText>}
      {open && (
        <div className="mt-1 rounded-lg border border-line bg-sunken px-3 py-2 text-sm">
          <Markdown id={message.id} text={toSummaryText(message, text)} />
        </div>
      )}
    </>
  );
}

/** The first paragraph reports the compression; the summary follows. */
function toSummaryText({ content, metadata }: SummaryProps["message"], { coded }: Dictionary): string {
  const end = content.indexOf("\n\n");
  return end === -1 ? content : `${coded(metadata.text, content.slice(0, end))}${content.slice(end)}`;
}
