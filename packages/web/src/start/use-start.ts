import type { StartedRace, StartedTask, StartRace, StartTask } from "@skein/contracts";
import { toTaskPrompt } from "@skein/engine";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/api.ts";
import { agentsQuery, attemptsQuery, taskQuery } from "../api/queries.ts";
import type { KnownTask } from "../api/task-activity.ts";
import { toNewTask } from "../api/to-new-task.ts";
import { useText } from "../i18n/locale.tsx";
import { setTask } from "../live/apply-event-to-cache.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { resolveChoice, startChoices, toAttemptInput } from "./start-choice.ts";
import { createStartIds } from "./start-ids.ts";

type Start = (input: Omit<StartTask, "id">) => Promise<StartedTask>;

/** Starts a new or an existing task. A start whose answer was lost can be retried: it runs once. */
export function useStart(): Start {
  const client = useQueryClient();
  const [ids] = useState(() => createStartIds());
  return async (input) => {
    const started = await api.start({ ...input, id: ids.idOf(input) });
    ids.settle(input);
    putStarted(client, input, started);
    return started;
  };
}

/** The same for several agents at once. */
export function useStartRace(): (input: Omit<StartRace, "id">) => Promise<StartedRace> {
  const client = useQueryClient();
  const [ids] = useState(() => createStartIds());
  return async (input) => {
    const started = await api.startRace({ ...input, id: ids.idOf(input) });
    ids.settle(input);
    const { task, attempts } = started;
    if (!("id" in input.task)) {
      setTask(client, toNewTask(task));
      client.setQueryData(attemptsQuery(task.id).queryKey, (known) => known ?? attempts);
    }
    return started;
  };
}

/** The page of the task shows it without asking first. */
function putStarted(client: QueryClient, { task: asked }: Omit<StartTask, "id">, { task, attempt }: StartedTask): void {
  if ("id" in asked) return;
  setTask(client, toNewTask(task));
  client.setQueryData(attemptsQuery(task.id).queryKey, (known) => known ?? [attempt]);
}

/** Starts a task from elsewhere with its own words and what was chosen last in its project. Failures are shown as a toast. */
export function useStartTask(): (task: KnownTask) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const text = useText();
  const describe = useErrorText();
  const start = useStart();
  return async (task) => {
    try {
      const choice = resolveChoice(startChoices.read(task.projectId), await client.fetchQuery(agentsQuery));
      // a list has only the beginning of a long description
      const whole = task.isShortened ? await client.fetchQuery(taskQuery(task.id)) : task;
      await start({ task: { id: task.id }, attempt: toAttemptInput(choice), message: toTaskPrompt(whole) });
      const open = () => void navigate({ to: "/t/$taskId", params: { taskId: task.id } });
      showToast({ text: text.start.started(task.title), tone: "plain", action: { label: text.start.open, run: open } });
    } catch (error) {
      showToast({ text: describe(error), tone: "bad" });
    }
  };
}
