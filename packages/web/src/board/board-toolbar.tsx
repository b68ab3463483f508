import { type RefObject, useEffect, useRef, useState } from "react";
import { useAgentName } from "../agents/use-agent-name.ts";
import { useText } from "../i18n/locale.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChecks } from "../ui/menu-entry.ts";
import { type BoardFilters, countFilters, type FilterKind, priorityOrder, statusOrder, toggleFilter } from "./board-filters.ts";
import type { BoardView } from "./board-view.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { StatusIcon } from "./status-icon.tsx";

export interface BoardToolbarProps {
  count: number | null;
  filters: BoardFilters;
  /** The available filters. */
  tags: readonly string[];
  agents: readonly string[];
  view: BoardView;
  /** Viewers add no tasks. */
  isReadOnly: boolean;
  searchField: RefObject<HTMLInputElement | null>;
  onFilters(filters: BoardFilters): void;
  onView(view: BoardView): void;
  onNewTask(): void;
}

export function BoardToolbar(props: BoardToolbarProps) {
  const text = useText();
  const { filters, onFilters, view, onView } = props;
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-3 py-1.5 sm:px-4">
      <h1 className="font-semibold">{text.board.title}</h1>
      {props.count !== null && <span className="text-ink-faint text-sm max-sm:hidden">{text.board.count(props.count)}</span>}
      <div className="ms-auto flex min-w-0 items-center gap-1 max-sm:w-full">
        <SearchField field={props.searchField} onChange={(q) => onFilters(withQuery(filters, q))} query={filters.q ?? ""} />
        <FilterMenu {...props} />
        <IconButton
          label={view === "board" ? text.board.showList : text.board.showBoard}
          onClick={() => onView(view === "board" ? "list" : "board")}
        >
          <Icon name={view === "board" ? "list" : "board"} />
        </IconButton>
        {!props.isReadOnly && (
          <Button look="primary" onClick={props.onNewTask}>
            <Icon name="plus" size={14} />
            {text.board.newTask}
          </Button>
        )}
      </div>
      <FilterChips filters={filters} onFilters={onFilters} />
    </header>
  );
}

function withQuery({ q: _q, ...others }: BoardFilters, query: string): BoardFilters {
  return query === "" ? others : { ...others, q: query };
}

/** The field shows what is typed at once; the address follows. */
function SearchField(props: { field: RefObject<HTMLInputElement | null>; query: string; onChange(query: string): void }) {
  const text = useText();
  const { query } = props;
  const [typed, setTyped] = useState(query);
  const applied = useRef(query);
  useEffect(() => {
    // From outside: the back button, or a link.
    if (query !== applied.current) setTyped(query);
    applied.current = query;
  }, [query]);
  const change = (next: string) => {
    setTyped(next);
    applied.current = next;
    props.onChange(next);
  };
  return (
    <input
      aria-keyshortcuts="/"
      aria-label={text.board.filter}
      className="h-8 pointer-coarse:h-11 w-full min-w-0 max-w-52 rounded-md border border-transparent bg-hover px-2.5 text-sm placeholder:text-ink-faint focus:border-line-strong focus:bg-canvas max-sm:max-w-none"
      onChange={(event) => change(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        change("");
        event.currentTarget.blur();
      }}
      placeholder={text.board.filter}
      ref={props.field}
      type="search"
      value={typed}
    />
  );
}

function FilterMenu({ filters, onFilters, tags, agents }: BoardToolbarProps) {
  const text = useText();
  const agentName = useAgentName();
  const count = countFilters(filters);
  const toggle = (kind: FilterKind) => (value: string) => onFilters(toggleFilter(filters, kind, value));
  return (
    <Menu
      align="end"
      entries={[
        menuChecks({
          label: text.board.status,
          values: filters.status ?? [],
          choices: statusOrder.map((value) => ({ value, label: text.status[value], icon: <StatusIcon size={14} status={value} /> })),
          onToggle: toggle("status"),
        }),
        { kind: "line" },
        menuChecks({
          label: text.priority.label,
          values: filters.priority ?? [],
          choices: priorityOrder.map((value) => ({ value, label: text.priority[value], icon: <PriorityIcon priority={value} /> })),
          onToggle: toggle("priority"),
        }),
        ...(agents.length === 0
          ? []
          : [
              { kind: "line" } as const,
              menuChecks({
                label: text.attempt.agent,
                values: filters.agent ?? [],
                choices: agents.map((value) => ({ value, label: agentName(value) })),
                onToggle: toggle("agent"),
              }),
            ]),
        ...(tags.length === 0
          ? []
          : [
              { kind: "line" } as const,
              menuChecks({
                label: text.task.tags,
                values: filters.tag ?? [],
                choices: tags.slice(0, 50).map((value) => ({ value, label: value })),
                onToggle: toggle("tag"),
              }),
            ]),
        { kind: "line" },
        menuChecks({
          label: text.board.hidden,
          values: filters.archived ? ["archived"] : [],
          choices: [{ value: "archived", label: text.board.showArchived, icon: <Icon className="text-ink-faint" name="archive" /> }],
          onToggle: () => {
            const { archived, ...others } = filters;
            onFilters(archived ? others : { ...others, archived: true });
          },
        }),
      ]}
      trigger={
        <IconButton className={count > 0 ? "bg-accent-wash text-accent" : ""} label={text.board.filterBy(count)}>
          <Icon name="filter" />
        </IconButton>
      }
    />
  );
}

function FilterChips({ filters, onFilters }: { filters: BoardFilters; onFilters(filters: BoardFilters): void }) {
  const text = useText();
  const agentName = useAgentName();
  const chips: { kind: FilterKind; value: string; label: string }[] = [
    ...(filters.status ?? []).map((value) => ({ kind: "status" as const, value, label: text.status[value] })),
    ...(filters.priority ?? []).map((value) => ({ kind: "priority" as const, value, label: text.priority[value] })),
    ...(filters.agent ?? []).map((value) => ({ kind: "agent" as const, value, label: agentName(value) })),
    ...(filters.tag ?? []).map((value) => ({ kind: "tag" as const, value, label: value })),
  ];
  if (countFilters(filters) === 0) return null;
  const { archived, ...others } = filters;
  return (
    <ul aria-label={text.board.activeFilters} className="flex w-full flex-wrap items-center gap-1">
      {chips.map(({ kind, value, label }) => (
        <Chip key={`${kind}:${value}`} label={label} onRemove={() => onFilters(toggleFilter(filters, kind, value))} />
      ))}
      {archived && <Chip label={text.board.archived} onRemove={() => onFilters(others)} />}
      <li>
        <button
          className="min-h-6 pointer-coarse:min-h-11 rounded px-1.5 text-ink-soft text-xs underline underline-offset-2 hover:text-ink"
          onClick={() => onFilters({})}
          type="button"
        >
          {text.board.clearFilters}
        </button>
      </li>
    </ul>
  );
}

function Chip({ label, onRemove }: { label: string; onRemove(): void }) {
  const text = useText();
  return (
    <li>
      <button
        aria-label={text.board.removeFilter(label)}
        className="flex min-h-6 pointer-coarse:min-h-9 max-w-48 items-center gap-1 rounded-full border border-line-strong px-2.5 text-xs hover:bg-hover"
        onClick={onRemove}
        type="button"
      >
        <span className="truncate">{label}</span>
        <Icon name="cross" size={10} />
      </button>
    </li>
  );
}
