import type { TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { attemptsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import type { PaletteCommand } from "./use-commands.ts";

const panes = [
  ["changes", "diff", "D"],
  ["context", "plan", "X"],
  ["files", "file", "F"],
  ["terminal", "terminal", "T"],
  ["timeline", "clock", "L"],
] as const;

/** What can be shown of the task whose page is open. */
export function useTaskCommands(): PaletteCommand[] {
  const { taskId } = useParams({ strict: false });
  const navigate = useNavigate();
  const { panes: names, compare } = useText().taskPage;
  const { data: attempts = [] } = useQuery({ ...attemptsQuery(taskId ?? ("" as TaskId)), enabled: taskId !== undefined });
  if (taskId === undefined || attempts.length === 0) return [];
  const params = { taskId };
  return [
    ...(attempts.length > 1
      ? [{ id: "compare", icon: "columns" as const, title: compare.title, run: () => void navigate({ to: "/t/$taskId/compare", params }) }]
      : []),
    ...panes.map(([view, icon, keys]) => ({
      ...{ id: `pane-${view}`, icon, title: names[view], keys },
      run: () => void navigate({ to: "/t/$taskId", params, search: (known) => ({ ...known, view }) }),
    })),
  ];
}
