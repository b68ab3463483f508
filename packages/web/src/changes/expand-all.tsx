import { useSyncExternalStore } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { IconButton } from "../ui/button.tsx";
import type { Disclosures } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";

export interface ExpandAllProps {
  paths: readonly string[];
  disclosures: Disclosures;
  openAtFirst(path: string): boolean;
}

/** Opens all files, or closes them all if every file is open. */
export function ExpandAll({ paths, disclosures, openAtFirst }: ExpandAllProps) {
  const { changes: text } = useTaskText();
  const isOpen = (path: string) => (disclosures.get(path) ?? openAtFirst(path)) === true;
  const allOpen = useSyncExternalStore(disclosures.subscribe, () => paths.length > 0 && paths.every(isOpen));
  return (
    <IconButton
      disabled={paths.length === 0}
      label={allOpen ? text.collapseAll : text.expandAll}
      onClick={() => disclosures.setAll(paths, !allOpen)}
    >
      <Icon name={allOpen ? "collapse" : "chevronUpDown"} size={14} />
    </IconButton>
  );
}
