import type { AttemptId, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { attemptsQuery, taskQuery } from "../api/queries.ts";
import { projectScriptsQuery } from "../api/trust-api.ts";
import { CheckView } from "../checks/check-state.tsx";
import { useRaceText } from "../checks/use-race-text.ts";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { gitBarClass } from "./git-bar-class.ts";

/** The check of an attempt, below its branch. Nothing if the project has no check script. */
export function CheckLine({ attemptId, taskId }: { attemptId: AttemptId; taskId: TaskId }) {
  const words = useRaceText();
  const { data: task } = useQuery(taskQuery(taskId));
  const { data: attempts } = useQuery(attemptsQuery(taskId));
  const attempt = attempts?.find(({ id }) => id === attemptId);
  const { data: scripts } = useQuery({ ...projectScriptsQuery(task?.projectId ?? ("" as never)), enabled: task !== undefined });
  if (attempt === undefined || (attempt.check === undefined && !scripts?.check)) return null;
  return (
    <section aria-label={words.checks} className={gitBarClass}>
      <DisclosureProvider>
        <CheckView attempt={attempt} canRun />
      </DisclosureProvider>
    </section>
  );
}
