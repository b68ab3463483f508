import type { AttemptId, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { attemptsQuery } from "../api/queries.ts";
import { rewindRequest } from "../conversation/rewind-request.ts";
import { useOpenPlace } from "../editors/open-place.ts";
import { gitRequest } from "../git/git-request.ts";
import { usePaletteText } from "../i18n/palette-text.ts";
import { findShownAttempt } from "../task/task-search.ts";
import type { PaletteCommand } from "./use-commands.ts";

const panes = [
  ["changes", "diff", "D"],
  ["context", "plan", "X"],
  ["files", "file", "F"],
  ["terminal", "list", "T"],
  ["shell", "terminal", "Shift+T"],
  ["preview", "globe", "Shift+P"],
  ["timeline", "clock", "L"],
] as const;
const gitSteps = [
  ["commit", "check"],
  ["update", "arrowDown"],
  ["merge", "arrowDown"],
  ["land", "branch"],
  ["push", "arrowUp"],
  ["pull-request", "branch"],
] as const;

const rewinds = [
  ["restore", "refresh"],
  ["fork", "branch"],
  ["resend", "edit"],
] as const;

/** Commands of the open task: its panes and its branch. */
export function useTaskCommands(): PaletteCommand[] {
  const { taskId } = useParams({ strict: false });
  const { attempt: named } = useSearch({ strict: false }) as { attempt?: AttemptId };
  const place = useOpenPlace();
  const navigate = useNavigate();
  const { taskPage, shell } = usePaletteText();
  const { panes: names, compare } = taskPage;
  const { data: attempts = [] } = useQuery({ ...attemptsQuery(taskId ?? ("" as TaskId)), enabled: taskId !== undefined });
  if (taskId === undefined || attempts.length === 0) return [];
  const params = { taskId };
  const shown = findShownAttempt(attempts, named);
  const show = (view: (typeof panes)[number][0]) => void navigate({ to: "/t/$taskId", params, search: (known) => ({ ...known, view }) });
  return [
    ...(attempts.length > 1
      ? [{ id: "compare", icon: "columns" as const, title: compare.title, run: () => void navigate({ to: "/t/$taskId/compare", params }) }]
      : []),
    ...panes.map(([view, icon, keys]) => ({
      ...{ id: `pane-${view}`, icon, title: names[view], keys },
      run: () => show(view),
    })),
    ...(shown === undefined
      ? []
      : [{ id: "open-in-editor", icon: "external" as const, title: place.label, keys: "O", run: () => place.open(shown) }]),
    ...rewinds.map(([action, icon]) => ({
      ...{ id: `rewind-${action}`, icon, title: taskPage.rewind.palette[action] },
      run: () => rewindRequest.set({ kind: "last", action }),
    })),
    ...gitSteps.map(([step, icon]) => ({
      ...{ id: `git-${step}`, icon, title: shell.palette.commands.git[step] },
      run: () => {
        gitRequest.set(step);
        show("changes");
      },
    })),
  ];
}
