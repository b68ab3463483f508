import type { Task } from "@skein/contracts";
import { useId, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { priorityOrder, statusOrder } from "./board-filters.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { StatusIcon } from "./status-icon.tsx";
import type { TaskActions } from "./task-actions.ts";

export interface SelectionBarProps {
  tasks: readonly Task[];
  tags: readonly string[];
  actions: TaskActions;
  onClear(): void;
}

/** Actions for all selected tasks. */
export function SelectionBar({ tasks, tags, actions, onClear }: SelectionBarProps) {
  const text = useText();
  const allArchived = tasks.every(({ archived }) => archived);
  return (
    <div
      aria-label={text.board.selection}
      className="fixed inset-x-0 bottom-16 z-30 mx-auto flex w-fit max-w-[calc(100vw-1rem)] flex-wrap items-center gap-1 rounded-xl border border-line-strong/60 bg-raised p-1.5 shadow-pop"
      role="toolbar"
    >
      <span className="px-2 font-medium text-sm tabular-nums" role="status">
        {text.board.selectedCount(tasks.length)}
      </span>
      <Menu
        entries={[
          menuChoices({
            label: text.board.moveTo,
            value: null,
            choices: statusOrder.map((value) => ({ value, label: text.status[value], icon: <StatusIcon size={14} status={value} /> })),
            onChoose: (status) => actions.setStatus(tasks, status),
          }),
        ]}
        trigger={<Button look="quiet">{text.board.move}</Button>}
      />
      <Menu
        entries={[
          menuChoices({
            label: text.priority.label,
            value: null,
            choices: priorityOrder.map((value) => ({ value, label: text.priority[value], icon: <PriorityIcon priority={value} /> })),
            onChoose: (priority) => actions.setPriority(tasks, priority),
          }),
        ]}
        trigger={<Button look="quiet">{text.priority.label}</Button>}
      />
      <AddTag onAdd={(tag) => actions.addTag(tasks, tag)} tags={tags} />
      <Button look="quiet" onClick={() => actions.setArchived(tasks, !allArchived)}>
        <Icon name="archive" size={14} />
        {allArchived ? text.board.unarchive : text.board.archive}
      </Button>
      <IconButton className="text-bad hover:text-bad" label={text.board.deleteSelected(tasks.length)} onClick={() => actions.remove(tasks)}>
        <Icon name="trash" />
      </IconButton>
      <IconButton label={text.board.clearSelection} onClick={onClear}>
        <Icon name="cross" />
      </IconButton>
    </div>
  );
}

function AddTag({ tags, onAdd }: { tags: readonly string[]; onAdd(tag: string): void }) {
  const text = useText();
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [tag, setTag] = useState("");
  if (!open) {
    return (
      <Button look="quiet" onClick={() => setOpen(true)}>
        {text.board.tag}
      </Button>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (tag.trim() !== "") onAdd(tag.trim());
        setTag("");
        setOpen(false);
      }}
    >
      <input
        aria-label={text.board.addTag}
        // biome-ignore lint/a11y/noAutofocus: it appears because the user asked for it
        autoFocus
        className="h-8 pointer-coarse:h-11 w-32 rounded-md border border-line-strong bg-canvas px-2 text-sm"
        list={listId}
        maxLength={100}
        onBlur={() => tag === "" && setOpen(false)}
        onChange={(event) => setTag(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && setOpen(false)}
        placeholder={text.board.addTag}
        value={tag}
      />
      <datalist id={listId}>
        {tags.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
    </form>
  );
}
