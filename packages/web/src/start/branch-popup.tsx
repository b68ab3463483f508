import { Popover } from "@base-ui/react/popover";
import type { ProjectId } from "@skein/contracts";
import { type ReactElement, useState } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { BranchField } from "./branch-field.tsx";

/** Drawn for the first time because its button was pressed: it starts open. */
export function BranchPopup({
  projectId,
  trigger,
  onChange,
}: {
  projectId: ProjectId;
  trigger: ReactElement;
  onChange(name: string | null): void;
}) {
  const text = useTaskText();
  const [open, setOpen] = useState(true);
  return (
    <Popover.Root onOpenChange={setOpen} open={open}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner align="start" className="z-[60] outline-none" sideOffset={4}>
          <Popover.Popup className="w-80 max-w-[calc(100vw-1rem)] rounded-lg border border-line-strong/60 bg-raised p-2 shadow-pop outline-none">
            <Popover.Title className="px-1 pb-1.5 font-medium text-ink-faint text-xs">{text.attempt.baseBranch}</Popover.Title>
            <BranchField
              autoFocus
              onChoose={(name) => {
                onChange(name);
                setOpen(false);
              }}
              projectId={projectId}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
