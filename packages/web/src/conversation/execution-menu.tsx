import type { ExecutionId } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { rewindRequest } from "./rewind-request.ts";

/** The steps back from an execution that has ended. */
export function ExecutionMenu({ executionId }: { executionId: ExecutionId }) {
  const { rewind: words } = useTaskText().taskPage;
  return (
    <Menu
      align="start"
      entries={[
        {
          ...{ kind: "item", icon: "refresh", label: words.restoreAfter, hint: words.restoreAfterHint },
          onSelect: () => rewindRequest.set({ kind: "restore", executionId, to: "after" }),
        },
        {
          ...{ kind: "item", icon: "refresh", label: words.restoreBefore, hint: words.restoreBeforeHint },
          onSelect: () => rewindRequest.set({ kind: "restore", executionId, to: "before" }),
        },
        { kind: "line" },
        {
          ...{ kind: "item", icon: "branch", label: words.fork, hint: words.forkHint },
          onSelect: () => rewindRequest.set({ kind: "fork", executionId }),
        },
      ]}
      trigger={
        <IconButton className="pointer-fine:size-6" label={words.menu}>
          <Icon name="more" size={14} />
        </IconButton>
      }
    />
  );
}
