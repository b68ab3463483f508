import type { ProjectId } from "@skein/contracts";
import { useText } from "../i18n/locale.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TaskComposer } from "./task-composer.tsx";

export function NewTaskDialog({ projectId, onClose }: { projectId: ProjectId; onClose(): void }) {
  const text = useText();
  return (
    <Dialog onOpenChange={(open) => !open && onClose()} open title={text.board.newTask} width="wide">
      <TaskComposer key={projectId} onDone={onClose} projectId={projectId} />
    </Dialog>
  );
}
