import type { ProjectId, Task, Template } from "@skein/contracts";
import { fillTemplate, listVariables } from "@skein/engine";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../api/api.ts";
import { toNewTask } from "../api/to-new-task.ts";
import { isEmptyDraft } from "../composer/draft.ts";
import { createDraftStore } from "../composer/draft-store.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { setTask } from "../live/apply-event-to-cache.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { emptyTaskDraft, type NewTaskDraft, toNewDescription, toNewTitle } from "./new-task-draft.ts";
import { templateRequest } from "./new-task-request.ts";
import { toRaceAttempts } from "./racers.ts";
import { useStart, useStartRace } from "./use-start.ts";
import { useStartChoice } from "./use-start-choice.ts";

const drafts = createDraftStore(globalThis.localStorage);

/** A task that is being written, and the two ways to create it. Its text is kept in the browser, per project. */
export function useTaskComposer({ projectId, onDone }: { projectId: ProjectId; onDone: (() => void) | undefined }) {
  const { start: words } = useTaskText();
  const describe = useErrorText();
  const format = useFormats();
  const client = useQueryClient();
  const navigate = useNavigate();
  const start = useStart();
  const startRace = useStartRace();
  const settings = useStartChoice(projectId);
  const isRace = settings.others.length > 0;
  const draftKey = `new.${projectId}`;
  const [draft, setDraftState] = useState<NewTaskDraft>(() => ({ ...emptyTaskDraft, text: drafts.read(draftKey) }));
  const [template, setTemplate] = useState<Template | null>(null);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map());
  const [busy, setBusy] = useState<"creating" | "starting" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const setDraft = (changes: Partial<NewTaskDraft>) => {
    setDraftState((known) => ({ ...known, ...changes }));
    if (changes.text !== undefined) drafts.write(draftKey, changes.text);
  };

  const chooseTemplate = (chosen: Template | null) => {
    // what was written by hand is not thrown away
    if (chosen !== null) setDraft({ text: chosen.prompt, title: chosen.title ?? "" });
    else if (template !== null && draft.text === template.prompt) setDraft({ text: "", title: "" });
    setTemplate(chosen);
    if (chosen !== null) settings.chooseAll(chosen);
  };
  useEffect(() => {
    const asked = templateRequest.get();
    if (asked?.projectId !== projectId) return;
    templateRequest.set(null);
    chooseTemplate(asked);
  });
  // without a template, braces are text
  const variables = template === null ? [] : listVariables(draft.text, draft.title);

  const act = async (kind: "creating" | "starting", action: () => Promise<Task>) => {
    if (isEmptyDraft(draft) || busy !== null) return;
    const missing = variables.filter((name) => !values.get(name)?.trim());
    if (missing.length > 0) return setError(words.template.missing(format.list(missing)));
    setBusy(kind);
    setError(null);
    try {
      const task = await action();
      setDraft(emptyTaskDraft);
      setTemplate(null);
      onDone?.();
      const open = () => navigate({ to: "/t/$taskId", params: { taskId: task.id } });
      if (kind === "starting" && isRace) await navigate({ to: "/t/$taskId/compare", params: { taskId: task.id } });
      else if (kind === "starting") await open();
      else showToast({ text: words.created(task.title), tone: "plain", action: { label: words.open, run: () => void open() } });
    } catch (failure) {
      setError(describe(failure));
    } finally {
      setBusy(null);
    }
  };
  const filled = template === null ? draft : { ...draft, text: fillTemplate(draft.text, values), title: fillTemplate(draft.title, values) };
  const title = toNewTitle(filled, words.untitled).slice(0, 500);
  const createAndStart = () =>
    act("starting", async () => {
      const attempt = await settings.toAttempt();
      const message = { task: { projectId, title }, message: filled.text, images: [...draft.images] };
      const first = { ...attempt, agent: attempt.agent ?? "native" };
      const { task } = isRace
        ? await startRace({ ...message, attempts: toRaceAttempts(first, settings.others) })
        : await start({ ...message, attempt });
      settings.remember({ started: true });
      return task;
    });
  const create = () =>
    act("creating", async () => {
      const task = await api.createTask({ projectId, title, description: toNewDescription(filled, title) });
      setTask(client, toNewTask(task));
      settings.remember({ started: false });
      return task;
    });
  const setValue = (name: string, value: string) => setValues((known) => new Map(known).set(name, value));
  const fromTemplate = { template, chooseTemplate, variables, values, setValue };
  return { fromTemplate, draft, setDraft, settings, busy, error, setError, create, createAndStart };
}
