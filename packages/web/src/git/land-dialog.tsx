import type { LandRequest, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { gitApi } from "../api/git-api.ts";
import { taskQuery } from "../api/queries.ts";
import { branchesQuery } from "../api/shell-api.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { FailureText } from "../ui/failure-text.tsx";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import type { GitDialogProps } from "./dialog-props.ts";
import { messageFieldClass } from "./message-field-class.ts";
import { useGitText } from "./use-git-text.ts";

type Method = NonNullable<LandRequest["method"]>;
const methods: readonly Method[] = ["squash", "merge", "fast-forward"];

/** What landing will do, before it is done. */
export function LandDialog({ attemptId, taskId, state, operations, onClose }: GitDialogProps & { taskId: TaskId }) {
  const words = useGitText().land;
  const id = useId();
  const [method, setMethod] = useState<Method>("squash");
  const [message, setMessage] = useState("");
  const { busy, failure, run } = useAction();
  const base = state.base.branch ?? "";
  const canFastForward = (state.behind ?? 0) === 0;
  const land = () => {
    if (busy) return;
    void run(async () => {
      const trimmed = method === "fast-forward" ? "" : message.trim();
      const landing = await gitApi.land(attemptId, { method, ...(trimmed === "" ? {} : { message: trimmed }) });
      await operations.reportLanding(landing);
      onClose();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    land();
  };
  return (
    <Dialog
      description={words.what(state.ahead ?? 0, state.branch ?? "")}
      onKeyDown={onKeyDown}
      onOpenChange={(open) => !open && onClose()}
      open
      title={words.title(base)}
    >
      <div className="space-y-3">
        <fieldset>
          <legend className="mb-1 font-medium text-sm">{words.method}</legend>
          {methods.map((value) => (
            <label className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 text-sm has-disabled:text-ink-faint" key={value}>
              <input
                checked={method === value}
                className="size-4 shrink-0 accent-accent"
                disabled={value === "fast-forward" && !canFastForward}
                name={`${id}-method`}
                onChange={() => setMethod(value)}
                type="radio"
              />
              <span>
                <span className="font-medium">{words.methods[value]}</span> <span className="text-ink-soft">{words.hints[value]}</span>
              </span>
            </label>
          ))}
          {!canFastForward && <p className="text-ink-faint text-xs">{words.notFastForward(base)}</p>}
        </fieldset>
        {method !== "fast-forward" && (
          <Field label={words.message}>
            {(field) => (
              <textarea
                {...field}
                className={messageFieldClass}
                onChange={(event) => setMessage(event.target.value)}
                placeholder={words.messageHint}
                value={message}
              />
            )}
          </Field>
        )}
        <Checkout base={base} taskId={taskId} />
        {failure && <FailureText {...failure} />}
        <DialogActions busy={busy} keys="Ctrl/⌘ ↵" onCancel={onClose} onSubmit={land}>
          {words.submit}
        </DialogActions>
      </div>
    </Dialog>
  );
}

/** Whether files of the user's own checkout change. One line is kept free until it is known. */
function Checkout({ base, taskId }: { base: string; taskId: TaskId }) {
  const words = useGitText().land;
  const { data: task } = useQuery(taskQuery(taskId));
  const { data } = useQuery({ ...branchesQuery(task?.projectId ?? ("" as never)), enabled: task !== undefined, refetchOnMount: "always" });
  return (
    <p className="flex min-h-5 items-start gap-1.5 text-ink-soft text-sm">
      <Icon className="mt-[3px] text-ink-faint" name="info" size={14} />
      {data && (data.current === base ? words.checkout(base) : words.noCheckout(base))}
    </p>
  );
}
