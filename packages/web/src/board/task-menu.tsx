import type { Task } from "@skein/contracts";
import { useText } from "../i18n/locale.tsx";
import { canStart } from "../start/can-start.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import type { TaskActions } from "./task-actions.ts";
import { useTaskChoices } from "./task-choices.tsx";

export function TaskMenu({ task, actions }: { task: Task; actions: TaskActions }) {
  const text = useText();
  const choices = useTaskChoices(task, {
    onStatus: (status) => actions.setStatus([task], status),
    onPriority: (priority) => actions.setPriority([task], priority),
  });
  return (
    <Menu
      align="end"
      entries={[
        ...(canStart(task)
          ? ([{ kind: "item", icon: "play", label: text.start.start, onSelect: () => actions.start([task]) }, { kind: "line" }] as const)
          : []),
        ...choices,
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
