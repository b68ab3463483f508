import type { Task } from "@skein/contracts";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { priorityOrder, statusOrder } from "./board-filters.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { StatusIcon } from "./status-icon.tsx";
import type { TaskActions } from "./task-actions.ts";

export function TaskMenu({ task, actions }: { task: Task; actions: TaskActions }) {
  const text = useText();
  return (
    <Menu
      align="end"
      entries={[
        menuChoices({
          label: text.board.status,
          value: task.status,
          choices: statusOrder.map((status) => ({
            value: status,
            label: text.status[status],
            icon: <StatusIcon size={14} status={status} />,
          })),
          onChoose: (status) => actions.setStatus([task], status),
        }),
        { kind: "line" },
        menuChoices({
          label: text.priority.label,
          value: task.priority,
          choices: priorityOrder.map((priority) => ({
            value: priority,
            label: text.priority[priority],
            icon: <PriorityIcon priority={priority} />,
          })),
          onChoose: (priority) => actions.setPriority([task], priority),
        }),
        { kind: "line" },
        { kind: "item", icon: "check", label: text.board.selectTask, onSelect: () => actions.onSelect(task, false) },
        {
          kind: "item",
          icon: "archive",
          label: task.archived ? text.board.unarchive : text.board.archive,
          onSelect: () => actions.setArchived([task], !task.archived),
        },
        { kind: "item", icon: "trash", label: text.task.delete, danger: true, onSelect: () => actions.remove([task]) },
      ]}
      trigger={
        <IconButton label={text.board.taskActions(task.title)}>
          <Icon name="more" />
        </IconButton>
      }
    />
  );
}
