import { useSettingsText } from "../i18n/settings-text.ts";
import { Dialog } from "../ui/dialog.tsx";
import { AddProjectForm } from "./add-project-form.tsx";

export function AddProjectDialog({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const text = useSettingsText();
  return (
    <Dialog onOpenChange={onOpenChange} open={open} title={text.projects.addTitle} width="wide">
      <AddProjectForm onAdded={() => onOpenChange(false)} />
    </Dialog>
  );
}
