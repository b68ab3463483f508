import type { ReactNode } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { KeyHint } from "../ui/key-hint.tsx";

/** The shortcuts that apply to the listed entries. */
export function InboxKeys({ hasApprovals, hasItems, hasFeedback }: { hasApprovals: boolean; hasItems: boolean; hasFeedback: boolean }) {
  const { keys } = useTaskText().shell.inbox;
  return (
    <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-ink-faint text-xs pointer-coarse:hidden">
      <span className="sr-only">{keys.label}: </span>
      <Key keys="J K">{keys.move}</Key>
      <Key keys="↵">{keys.open}</Key>
      {hasApprovals && (
        <>
          <Key keys="A">{keys.allow}</Key>
          <Key keys="⇧A">{keys.always}</Key>
          <Key keys="D">{keys.deny}</Key>
        </>
      )}
      {hasFeedback && <Key keys="S">{keys.send}</Key>}
      {hasItems && <Key keys="E">{keys.dismiss}</Key>}
    </p>
  );
}

function Key({ keys, children }: { keys: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2.5">
      <span className="sr-only">{keys}: </span>
      <span aria-hidden="true" className="flex text-ink-soft">
        <KeyHint keys={keys} />
      </span>
      {children}
    </span>
  );
}
