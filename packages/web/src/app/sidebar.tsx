import type { Project, Task } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useMemo } from "react";
import { tasksQuery } from "../api/queries.ts";
import { useAskedAt } from "../board/active-tasks.ts";
import { StatusIcon } from "../board/status-icon.tsx";
import { useTaskState } from "../board/use-task-state.ts";
import { useText } from "../i18n/locale.tsx";
import { useNeedsYou } from "../inbox/use-needs-you.ts";
import { ProjectSwitcher } from "../projects/project-switcher.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { titleBadge } from "../ui/use-title.ts";
import { ConnectionState } from "./connection-banner.tsx";
import { PreferencesMenu } from "./preferences-menu.tsx";
import { toSidebarGroups } from "./sidebar-groups.ts";

const linkClass =
  "flex h-8 pointer-coarse:h-11 shrink-0 items-center gap-2 rounded-md px-2 text-ink-soft hover:bg-hover hover:text-ink data-[status=active]:bg-active data-[status=active]:text-ink";

const iconLinkClass =
  "inline-flex size-7 pointer-coarse:size-11 items-center justify-center rounded-md text-ink-soft hover:bg-hover hover:text-ink data-[status=active]:bg-active data-[status=active]:text-ink";

const isMac = navigator.platform.startsWith("Mac");

export function Sidebar(props: { project: Project | undefined; open: boolean; onClose(): void; onSearch(): void }) {
  const text = useText();
  const { open, onClose, project } = props;
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => event.key === "Escape" && onClose();
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [open, onClose]);
  return (
    <>
      {open && (
        <button
          aria-label={text.app.closeMenu}
          className="fixed inset-0 z-30 bg-black/40 md:hidden"
          onClick={onClose}
          tabIndex={-1}
          type="button"
        />
      )}
      <aside
        className={`z-40 flex w-64 shrink-0 flex-col border-line border-e bg-sunken md:w-60 ${open ? "max-md:fixed max-md:inset-y-0 max-md:start-0 max-md:shadow-pop" : "max-md:hidden"}`}
      >
        <div className="flex shrink-0 items-center gap-1 p-2">
          <ProjectSwitcher current={project} />
        </div>
        <nav aria-label={text.app.navigation} className="flex shrink-0 flex-col gap-0.5 px-2 pb-2">
          <button className={linkClass} onClick={props.onSearch} type="button">
            <Icon name="search" />
            {text.shell.palette.open}
            <span aria-hidden="true" className="ms-auto font-sans text-ink-faint text-xs pointer-coarse:hidden">
              {isMac ? "⌘K" : "Ctrl K"}
            </span>
          </button>
          <InboxLink />
          {project ? (
            <Link
              activeOptions={{ exact: true, includeSearch: false }}
              className={linkClass}
              params={{ projectId: project.id }}
              to="/p/$projectId"
            >
              <Icon name="board" />
              {text.board.title}
            </Link>
          ) : (
            <Link className={linkClass} to="/">
              <Icon name="folder" />
              {text.projects.start}
            </Link>
          )}
          <Link className={linkClass} to="/automations">
            <Icon name="bolt" />
            {text.shell.automations.title}
          </Link>
        </nav>
        {project ? <ProjectTasks project={project} /> : <div className="flex-1" />}
        <div className="flex shrink-0 items-center gap-1 border-line border-t px-3 py-2">
          <span className="min-w-0 flex-1">
            <ConnectionState />
          </span>
          <Link aria-label={text.shell.usage.title} className={iconLinkClass} title={text.shell.usage.title} to="/usage">
            <Icon name="chart" />
          </Link>
          <Link aria-label={text.shell.settings.title} className={iconLinkClass} title={text.shell.settings.title} to="/settings">
            <Icon name="gear" />
          </Link>
          <PreferencesMenu />
        </div>
      </aside>
    </>
  );
}

/** Across all projects. Amber while an agent waits: it does nothing until someone answers. */
function InboxLink() {
  const text = useText();
  const { count, waiting } = useNeedsYou();
  useEffect(() => titleBadge.set(count), [count]);
  return (
    <Link className={linkClass} to="/inbox">
      <Icon name="inbox" />
      {text.shell.inbox.title}
      {count > 0 && (
        <span
          className={`ms-auto rounded-full px-2 font-medium text-xs tabular-nums leading-5 ${waiting > 0 ? "bg-warn-wash text-warn" : "bg-active text-ink-soft"}`}
        >
          <span aria-hidden="true">{count}</span>
          <span className="sr-only"> {text.shell.inbox.badge(count)}</span>
        </span>
      )}
    </Link>
  );
}

/** On a narrow screen the sidebar is collapsed, but what needs the user must still be visible. */
export function NarrowInboxLink() {
  const text = useText();
  const { count, waiting } = useNeedsYou();
  const { title, badge } = text.shell.inbox;
  return (
    <Link
      aria-label={count > 0 ? `${title}, ${badge(count)}` : title}
      className={`${iconLinkClass} w-auto! min-w-9 gap-1 px-2`}
      to="/inbox"
    >
      <Icon name="inbox" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className={`rounded-full px-1.5 font-medium text-xs tabular-nums leading-5 ${waiting > 0 ? "bg-warn-wash text-warn" : "bg-active text-ink-soft"}`}
        >
          {count > 99 ? "99+" : count}
        </span>
      )}
    </Link>
  );
}

/** In a scroller of its own: however many there are, the navigation above stays as it is. */
function ProjectTasks({ project }: { project: Project }) {
  const text = useText();
  const { data: tasks = [] } = useQuery(tasksQuery(project.id));
  const asked = useAskedAt();
  // after the page itself is drawn: it is what the user opened
  const listed = useDeferredValue(tasks, []);
  const groups = useMemo(() => toSidebarGroups(listed, asked), [listed, asked]);
  return (
    <nav aria-label={text.shell.sidebar.tasks} className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-2 pt-1 pb-2">
      {groups.map(({ name, tasks: inGroup, hidden }) => (
        <div className="mt-3 first:mt-1" key={name}>
          <h2 className="px-2 pb-1 font-medium text-ink-faint text-xs">
            {name === "active" ? text.shell.sidebar.active : text.status[name]}
          </h2>
          <ul className="space-y-0.5">
            {inGroup.map((task) => (
              <TaskLink key={task.id} task={task} />
            ))}
          </ul>
          {hidden > 0 && name !== "active" && (
            <Link
              className={`${linkClass} text-ink-faint text-sm`}
              params={{ projectId: project.id }}
              search={{ status: [name] }}
              to="/p/$projectId"
            >
              {text.shell.sidebar.more(hidden)}
            </Link>
          )}
        </div>
      ))}
    </nav>
  );
}

function TaskLink({ task }: { task: Task }) {
  const text = useText();
  const { state } = useTaskState(task);
  return (
    <li>
      <Link className={linkClass} params={{ taskId: task.id }} to="/t/$taskId">
        {state === "running" ? (
          <Spinner className="shrink-0 text-accent" size={14} />
        ) : state === "held" || state === "parked" ? (
          <Icon className="shrink-0 text-ink-faint" name="clock" size={14} />
        ) : state === "waiting" ? (
          <Icon className="shrink-0 text-warn" name="shield" size={14} />
        ) : (
          <StatusIcon size={14} status={task.status} />
        )}
        <span className="min-w-0 flex-1 truncate">{task.title}</span>
        {(state === "running" || state === "held" || state === "parked" || state === "waiting") && (
          <span className="sr-only">{text.board[state]}</span>
        )}
      </Link>
    </li>
  );
}
