import type { ProjectId, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { archivedTasksQuery, tasksQuery } from "../api/queries.ts";
import { useLocale } from "../i18n/locale.tsx";
import { useAskedAt } from "./active-tasks.ts";
import { type HeldColumn, toBoardColumns } from "./board-columns.ts";
import { type BoardFilters, matchesFilters } from "./board-filters.ts";
import type { BoardView } from "./board-view.ts";
import { type Sort, sortTasks } from "./task-sort.ts";

export interface BoardTasksOptions {
  projectId: ProjectId;
  filters: BoardFilters;
  view: BoardView;
  sort: Sort;
  held: HeldColumn | null;
}

/** The tasks of a project as the board shows them. `current` is undefined until the first of them are loaded. */
export function useBoardTasks({ projectId, filters, view, sort, held }: BoardTasksOptions) {
  const { locale } = useLocale();
  const { data: current, error, isFetching } = useQuery(tasksQuery(projectId));
  const { data: archived } = useQuery({ ...archivedTasksQuery(projectId), enabled: filters.archived === true });
  const asked = useAskedAt();
  const tasks = useMemo(() => [...(current ?? []), ...(filters.archived ? (archived ?? []) : [])], [current, archived, filters.archived]);
  const shown = useMemo(() => tasks.filter((task) => matchesFilters(task, task.activity?.agent ?? null, filters)), [tasks, filters]);
  const columns = useMemo(() => toBoardColumns(shown, { wanted: filters.status, asked, held }), [shown, filters.status, asked, held]);
  const sorted = useMemo(() => (view === "list" ? sortTasks(shown, sort, { locale, asked }) : []), [view, shown, sort, locale, asked]);
  // for keys and ranges, the list is one column
  const rows = useMemo(
    () => (view === "list" ? [{ status: "todo" as const, tasks: sorted, active: new Set<TaskId>() }] : columns),
    [view, sorted, columns],
  );
  const order = useMemo(() => rows.flatMap(({ tasks: inRow }) => inRow.map(({ id }) => id)), [rows]);
  return { current, error, isFetching, tasks, shown, columns, sorted, rows, order };
}
