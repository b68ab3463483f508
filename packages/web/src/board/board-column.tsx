import type { ProjectId, Task, TaskStatus } from "@skein/contracts";
import { type DragEvent, useRef, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import type { BoardColumn } from "./board-columns.ts";
import { dragType } from "./drag-type.ts";
import { QuickAdd } from "./quick-add.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { TaskCard } from "./task-card.tsx";

export interface BoardColumnViewProps {
  column: BoardColumn;
  projectId: ProjectId;
  adding: boolean;
  onAdd(open: boolean): void;
  onDrop(taskId: string, index: number): void;
  onMove(task: Task, status: TaskStatus): void;
}

export function BoardColumnView({ column, projectId, adding, onAdd, onDrop, onMove }: BoardColumnViewProps) {
  const text = useText();
  const list = useRef<HTMLUListElement>(null);
  const [over, setOver] = useState<number | null>(null);
  const name = text.status[column.status];
  const accepts = (event: DragEvent) => event.dataTransfer.types.includes(dragType);
  return (
    <section
      aria-label={name}
      className={`flex max-h-full w-[85vw] shrink-0 grow snap-start sm:w-60 flex-col rounded-lg bg-sunken sm:max-w-96 ${over === null ? "" : "outline-2 outline-accent/50"}`}
      onDragLeave={(event) => event.currentTarget.contains(event.relatedTarget as Node | null) || setOver(null)}
      onDragOver={(event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        setOver(indexAt(list.current, event.clientY));
      }}
      onDrop={(event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        const taskId = event.dataTransfer.getData(dragType);
        setOver(null);
        onDrop(taskId, indexAt(list.current, event.clientY, taskId));
      }}
    >
      <header className="flex h-10 shrink-0 items-center gap-2 px-3">
        <StatusIcon size={14} status={column.status} />
        <h2 className="font-medium text-sm">{name}</h2>
        <span className="text-ink-faint text-sm tabular-nums">{column.tasks.length}</span>
        <IconButton className="-me-1.5 ms-auto" label={text.board.quickAddIn(name)} onClick={() => onAdd(true)}>
          <Icon name="plus" />
        </IconButton>
      </header>
      <div className="scroll-quiet min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        {adding && <QuickAdd onClose={() => onAdd(false)} projectId={projectId} status={column.status} />}
        <ul className="space-y-1.5" ref={list}>
          {column.tasks.map((task, index) => (
            <li className={over === index ? "border-accent border-t-2 pt-1" : ""} key={task.id}>
              <TaskCard onMove={(status) => onMove(task, status)} task={task} />
            </li>
          ))}
        </ul>
        {column.tasks.length === 0 && !adding && <p className="px-2 py-6 text-center text-ink-faint text-sm">{text.board.emptyColumn}</p>}
      </div>
    </section>
  );
}

/** Among the other cards, how many lie above the pointer. */
function indexAt(list: HTMLUListElement | null, y: number, except?: string): number {
  const cards = [...(list?.querySelectorAll<HTMLElement>("[data-task-id]") ?? [])].filter((card) => card.dataset.taskId !== except);
  return cards.filter((card) => {
    const box = card.getBoundingClientRect();
    return box.top + box.height / 2 < y;
  }).length;
}
