import type { Attempt, Task, UpdateTask } from "@skein/contracts";
import { type ReactNode, Suspense } from "react";
import { AttemptPlace } from "../editors/attempt-place.ts";
import { OpenInEditor } from "../editors/open-in-editor.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { PathText } from "../ui/path-text.tsx";
import { EditableText } from "./editable-text.tsx";
import { parseTags } from "./parse-tags.ts";

const TaskBudget = lazyComponent(() => import("../budgets/task-budget.tsx"), "TaskBudget").Component;

export interface TaskDetailsProps {
  task: Task;
  attempt: Attempt | undefined;
  onUpdate(changes: UpdateTask): Promise<void>;
}

export function TaskDetails({ task, attempt, onUpdate }: TaskDetailsProps) {
  const text = useTaskText();
  return (
    <section
      aria-label={text.task.details}
      className="scroll-quiet max-h-[50dvh] overflow-y-auto border-line border-b bg-sunken px-3 py-3 sm:px-4"
    >
      <dl className="mx-auto grid max-w-3xl grid-cols-[6rem_1fr] gap-x-3 gap-y-1 text-sm max-sm:grid-cols-1">
        <dt className="py-1 text-ink-faint">{text.task.description}</dt>
        <dd className="scroll-quiet max-h-60 overflow-y-auto">
          <EditableText
            label={text.task.description}
            maxLength={100_000}
            multiline
            onSave={(description) => onUpdate({ description })}
            placeholder={text.task.addDescription}
            value={task.description}
          />
        </dd>
        <dt className="py-1 text-ink-faint">{text.task.tags}</dt>
        <dd>
          <EditableText
            emptyAllowed
            label={text.task.tags}
            maxLength={5000}
            onSave={(tags) => onUpdate({ tags: parseTags(tags) })}
            placeholder={text.task.tagsHint}
            value={task.tags.join(", ")}
          />
        </dd>
        <Suspense>
          <TaskBudget taskId={task.id} />
        </Suspense>
        {attempt && (
          <Copyable name={text.attempt.directory} value={attempt.directory}>
            <AttemptPlace value={attempt}>
              <OpenInEditor />
            </AttemptPlace>
          </Copyable>
        )}
        {attempt?.branch && <Copyable name={text.attempt.branch} value={attempt.branch} />}
      </dl>
    </section>
  );
}

function Copyable({ name, value, children }: { name: string; value: string; children?: ReactNode }) {
  return (
    <>
      <dt className="py-1 text-ink-faint">{name}</dt>
      <dd className="flex min-w-0 items-center gap-1 px-1.5">
        <code className="flex min-w-0 font-mono text-[0.8rem]">
          <PathText text={value} />
        </code>
        <CopyButton text={value} />
        {children}
      </dd>
    </>
  );
}
