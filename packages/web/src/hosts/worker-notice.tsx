import type { ExecutionId } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { Icon } from "../ui/icon.tsx";
import { useWorkerWait } from "./use-worker-wait.ts";

/** Which worker the running execution waits for, and why. */
export function WorkerNotice({ executionId }: { executionId: ExecutionId }) {
  const { attempt } = useTaskText();
  const format = useFormats();
  const wait = useWorkerWait([executionId]);
  if (wait === undefined) return null;
  const { name, lastSeenAt, capacity } = wait.worker;
  const words = {
    offline: () => attempt.worker.offline(name, lastSeenAt === null ? null : format.dateTime(lastSeenAt)),
    draining: () => attempt.worker.draining(name),
    busy: () => attempt.worker.busy(name, capacity),
  };
  return (
    <p className="mb-2 flex items-center gap-2 rounded-md bg-sunken px-3 py-2 text-ink-soft text-sm" role="status">
      <Icon className="shrink-0" name="clock" size={14} />
      <span className="min-w-0">{words[wait.why]()}</span>
      <Link className="ms-auto shrink-0 text-accent hover:underline" params={{ section: "workers" }} to="/settings/$section">
        {attempt.worker.show}
      </Link>
    </p>
  );
}
