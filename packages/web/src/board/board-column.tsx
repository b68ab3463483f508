import type { ProjectId, TaskId } from "@skein/contracts";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useGrowingList } from "../ui/use-growing-list.ts";
import { touchOnly, useMedia } from "../ui/use-media.ts";
import type { BoardColumn } from "./board-columns.ts";
import { QuickAdd } from "./quick-add.tsx";
import { StatusIcon } from "./status-icon.tsx";
import type { TaskActions } from "./task-actions.ts";
import { TaskCard } from "./task-card.tsx";
import type { CardDrag } from "./use-card-drag.ts";

export interface BoardColumnViewProps {
  column: BoardColumn;
  projectId: ProjectId;
  adding: boolean;
  filtered: boolean;
  drag: CardDrag | null;
  selected: ReadonlySet<TaskId>;
  actions: TaskActions;
  wanted: TaskId | null;
  onAdd(open: boolean): void;
}

/** A title of one line, and the space to the next card. */
const smallestCard = 48;
const cardsAtOnce = 50;

export function BoardColumnView({ column, projectId, adding, filtered, drag, selected, actions, wanted, onAdd }: BoardColumnViewProps) {
  const text = useText();
  const { teach, teachByTouch } = text.board;
  const isTouch = useMedia(touchOnly);
  const name = text.status[column.status];
  const { shown, sentinel } = useGrowingList(column.tasks, { step: cardsAtOnce, smallestHeight: smallestCard, wanted });
  const isOver = drag?.status === column.status;
  // The card that is held is in the list still, but does not count as a place.
  const others = drag ? column.tasks.filter(({ id }) => id !== drag.taskId) : column.tasks;
  const before = isOver ? others[drag.index] : undefined;
  return (
    <section
      aria-label={name}
      className={`flex max-h-full w-[85vw] shrink-0 grow snap-start flex-col rounded-lg bg-sunken sm:w-60 sm:max-w-96 ${isOver ? "outline-2 outline-accent/50" : ""}`}
      data-column={column.status}
    >
      <header className="flex h-10 pointer-coarse:h-12 shrink-0 items-center gap-2 px-3">
        <StatusIcon size={14} status={column.status} />
        <h2 className="font-medium text-sm">{name}</h2>
        <span className="text-ink-faint text-sm tabular-nums">{column.tasks.length}</span>
        {!actions.isReadOnly && (
          <IconButton className="-me-1.5 ms-auto" label={text.board.quickAddIn(name)} onClick={() => onAdd(true)}>
            <Icon name="plus" />
          </IconButton>
        )}
      </header>
      <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-2 pb-2" data-column-scroll>
        {adding && <QuickAdd onClose={() => onAdd(false)} projectId={projectId} status={column.status} />}
        <ul className="space-y-1.5">
          {shown.map((task) => (
            <li className="offscreen-cheap relative" key={task.id}>
              {before?.id === task.id && <DropLine className="-top-1" />}
              <TaskCard
                actions={actions}
                lifted={drag?.taskId === task.id}
                selected={selected.has(task.id)}
                selecting={selected.size > 0}
                task={task}
              />
            </li>
          ))}
          {isOver && !before && (
            <li aria-hidden="true" className="relative h-1">
              <DropLine className="top-0" />
            </li>
          )}
        </ul>
        {/* A new element each time: the observer reports again when it is still near. */}
        {sentinel && <div aria-hidden="true" className="h-px" key={shown.length} ref={sentinel} />}
        {column.tasks.length === 0 && !adding && (
          <p className="px-2 py-6 text-center text-ink-faint text-sm">
            {filtered ? text.board.emptyFiltered : isTouch && column.status === "todo" ? teachByTouch : teach[column.status]}
          </p>
        )}
      </div>
    </section>
  );
}

function DropLine({ className }: { className: string }) {
  return <span aria-hidden="true" className={`absolute inset-x-0 z-10 h-0.5 rounded-full bg-accent ${className}`} />;
}
