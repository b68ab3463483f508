import type { ProjectId, TaskStatus } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "../api/api.ts";
import { toNewTask } from "../api/to-new-task.ts";
import { useText } from "../i18n/locale.tsx";
import { setTask } from "../live/apply-event-to-cache.ts";
import { readStored, writeStored } from "../preferences/stored-value.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";

/** Enter adds a task and keeps the field open for the next one. Text that was not added is kept for the next time. */
export function QuickAdd({ projectId, status, onClose }: { projectId: ProjectId; status: TaskStatus; onClose(): void }) {
  const text = useText();
  const describe = useErrorText();
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const draftKey = `skein.new-task.${projectId}`;
  const [title, setTitle] = useState(() => readStored(draftKey) ?? "");
  const [error, setError] = useState<string | null>(null);
  useEffect(() => field.current?.focus(), []);
  const change = (next: string) => {
    setTitle(next);
    writeStored(draftKey, next.trim() === "" ? null : next);
  };
  const add = async () => {
    const wanted = title.trim();
    if (wanted === "") return;
    setTitle("");
    setError(null);
    try {
      setTask(client, toNewTask(await api.createTask({ projectId, title: wanted, status })));
      // Text typed since then is another draft.
      if (readStored(draftKey)?.trim() === wanted) writeStored(draftKey, null);
    } catch (problem) {
      setTitle((typed) => typed || wanted);
      setError(describe(problem));
    }
  };
  return (
    <div className="mb-1.5 rounded-lg border border-line-strong bg-raised p-2.5 shadow-xs">
      <textarea
        aria-label={text.board.quickAddLabel}
        className="field-sizing-content block w-full resize-none bg-transparent outline-none placeholder:text-ink-faint"
        maxLength={500}
        onBlur={() => title.trim() === "" && onClose()}
        onChange={(event) => change(event.target.value.replaceAll("\n", " "))}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") {
            event.preventDefault();
            void add();
          } else if (event.key === "Escape") onClose();
        }}
        placeholder={text.board.quickAddPlaceholder}
        ref={field}
        rows={2}
        value={title}
      />
      {error ? <ErrorText>{error}</ErrorText> : <p className="text-ink-faint text-xs">{text.board.quickAddHint}</p>}
    </div>
  );
}
