import { usePaletteText } from "../i18n/palette-text.ts";
import { ShortcutList } from "../settings/shortcut-list.tsx";
import { Dialog } from "../ui/dialog.tsx";

export function ShortcutsDialog({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  const { shortcuts } = usePaletteText();
  return (
    <Dialog onOpenChange={onOpenChange} open={open} title={shortcuts.title}>
      <ShortcutList />
    </Dialog>
  );
}
