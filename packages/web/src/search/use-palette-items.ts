import type { SearchHit } from "@skein/contracts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { tasksQuery } from "../api/queries.ts";
import { fileMatchesQuery, searchQuery } from "../api/shell-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { usePaletteText } from "../i18n/palette-text.ts";
import { useCurrentProject } from "../projects/use-current-project.ts";
import { canStart } from "../start/can-start.ts";
import { useStartTask } from "../start/use-start.ts";
import { showToast } from "../ui/toast.ts";
import { useDebounced } from "../ui/use-debounced.ts";
import { useNow } from "../ui/use-now.ts";
import { matchWords, type PaletteItem } from "./palette-item.ts";
import { type PaletteCommand, useCommands } from "./use-commands.ts";

const debounceMs = 120;
const shownCommands = 6;
const shownTasks = 8;
const shownStarts = 4;

/** Commands and the tasks that are known answer at once; the server's answers come after what was typed has settled. */
export function usePaletteItems(
  typed: string,
  options: { showShortcuts(): void },
): { items: PaletteItem[]; searching: boolean; failed: boolean } {
  const query = typed.trim();
  const settled = useDebounced(query, debounceMs);
  const project = useCurrentProject();
  const commands = useCommands(options);
  const toHit = useHitItem();
  const toFile = useFileItem();
  const openTask = useOpenTask();
  const text = usePaletteText();
  const start = useStartTask();
  const isLong = settled.length >= 2 || /\p{Script=Han}/u.test(settled);
  const search = useQuery({ ...searchQuery(settled), enabled: isLong, placeholderData: keepPreviousData });
  const files = useQuery({ ...fileMatchesQuery(project?.id, settled), placeholderData: keepPreviousData });
  const { data: known = [] } = useQuery({ ...tasksQuery(project?.id ?? ("" as never)), enabled: project !== undefined });

  // only when searched by name: otherwise each task would be found twice
  const wantsStart =
    query !== "" &&
    query
      .toLowerCase()
      .split(/\s+/)
      .some((word) => text.start.start.toLowerCase().startsWith(word));
  const startCommands = (wantsStart ? known.filter(canStart) : []).map(
    (task): PaletteCommand => ({
      ...{ id: `start-${task.id}`, icon: "play", title: text.start.startTask(task.title) },
      run: () => void start(task),
    }),
  );
  const hits = isLong && query !== "" ? (search.data?.hits ?? []) : [];
  const found = hits.map(toHit);
  const recent = query === "" ? known.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, 5) : [];
  const items = [
    ...fittingCommands(commands, query).slice(0, query === "" ? 99 : shownCommands),
    ...fittingCommands(startCommands, query).slice(0, shownStarts),
    ...recent.map(
      (task): PaletteItem => ({
        ...{ id: task.id, group: "tasks", icon: "plan", title: { text: task.title, ranges: [] } },
        run: () => openTask(task.id),
      }),
    ),
    ...found.filter(({ group }) => group === "tasks").slice(0, shownTasks),
    ...found.filter(({ group }) => group === "messages"),
    ...(isLong && query !== "" ? (files.data?.paths ?? []).slice(0, 8).map((path) => toFile(path, query)) : []),
    ...found.filter(({ group }) => group === "tools"),
  ];
  const order = query === "" ? ["tasks", "commands"] : ["commands", "tasks", "messages", "files", "tools"];
  return {
    items: items.toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group)),
    searching: query !== "" && (query !== settled || search.isFetching),
    failed: search.isError,
  };
}

function fittingCommands(commands: readonly PaletteCommand[], query: string): PaletteItem[] {
  return commands.flatMap(({ id, icon, title, keys, run }) => {
    const marked = matchWords(title, query);
    return marked ? [{ id, group: "commands" as const, icon, title: marked, ...(keys ? { hint: keys } : {}), run }] : [];
  });
}

function useOpenTask() {
  const navigate = useNavigate();
  return (taskId: SearchHit["taskId"]) => void navigate({ to: "/t/$taskId", params: { taskId } });
}

function useHitItem(): (hit: SearchHit) => PaletteItem {
  const navigate = useNavigate();
  const openTask = useOpenTask();
  const format = useFormats();
  const now = useNow(60_000);
  return (hit) => {
    const { taskId, attemptId, messageId, excerpt, ranges } = hit;
    const marked = { text: excerpt, ranges };
    if (hit.kind === "task") {
      const title = hit.source === "title" ? marked : { text: hit.taskTitle, ranges: [] };
      return {
        ...{ id: `task-${taskId}`, group: "tasks", icon: "plan", title, run: () => openTask(taskId) },
        ...(hit.source === "title" ? {} : { detail: marked }),
      };
    }
    const isTool = hit.source === "tool";
    return {
      ...{ id: `${attemptId}-${messageId}`, group: isTool ? "tools" : "messages", icon: isTool ? "terminal" : "agent" },
      title: marked,
      detail: { text: hit.taskTitle, ranges: [] },
      hint: format.relative(hit.at, now),
      run: () =>
        void navigate({
          to: "/t/$taskId",
          params: { taskId },
          search: attemptId ? { attempt: attemptId } : {},
          ...(messageId ? { hash: messageId } : {}),
        }),
    };
  };
}

/** The repository's own file is not shown here: its path is what one needs to name it to an agent. */
function useFileItem(): (path: string, query: string) => PaletteItem {
  const { shell } = usePaletteText();
  return (path, query) => ({
    id: `file-${path}`,
    group: "files",
    icon: path.endsWith("/") ? "folder" : "file",
    title: matchWords(path, query) ?? { text: path, ranges: [] },
    hint: shell.palette.copyPath,
    run: () => void navigator.clipboard?.writeText(path).then(() => showToast({ text: shell.palette.pathCopied(path), tone: "plain" })),
  });
}
