import type { AttemptId, MergeMode } from "@skein/contracts";
import { type RefObject, Suspense, useEffect, useState } from "react";
import { attemptApi } from "../api/attempt-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import type { Direction, MarkKind } from "./message-marks.ts";
import type { ConversationListHandle } from "./use-jump.ts";

const ExportDialog = lazyComponent(() => import("../exporting/export-dialog.tsx"), "ExportDialog").Component;

export interface ConversationToolsProps {
  attemptId: AttemptId;
  list: RefObject<ConversationListHandle | null>;
  hasErrors: boolean;
  mergeMode: MergeMode;
  onMergeMode(mode: MergeMode): void;
  onFind(): void;
}

/** Navigation: errors (E), the user's messages (K and J), text (Ctrl+F); and export of the conversation. */
export function ConversationTools({ attemptId, list, hasErrors, mergeMode, onMergeMode, onFind }: ConversationToolsProps) {
  const {
    taskPage: { tools: text },
    app: { copied },
    errors: { unknown },
  } = useTaskText();
  const [said, setSaid] = useState("");
  const [exporting, setExporting] = useState(false);
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), 2500);
    return () => clearTimeout(timer);
  }, [said]);
  const jump = async (kind: MarkKind, direction: Direction) => {
    const found = await list.current?.jump(kind, direction);
    setSaid(found === false ? text.none : "");
  };
  const copyAll = async () => {
    try {
      await navigator.clipboard.writeText(await attemptApi.exportMarkdown(attemptId));
      setSaid(copied);
    } catch {
      setSaid(unknown);
    }
  };
  useShortcut("e", () => void jump("error", "previous"), { repeats: true });
  useShortcut("E", () => void jump("error", "next"), { repeats: true });
  useShortcut("k", () => void jump("prompt", "previous"), { repeats: true });
  useShortcut("j", () => void jump("prompt", "next"), { repeats: true });
  return (
    <div aria-label={text.label} className="flex shrink-0 items-center" role="toolbar">
      {hasErrors && (
        <IconButton className="text-bad!" label={text.previousError} onClick={() => void jump("error", "previous")}>
          <Icon name="warning" size={14} />
        </IconButton>
      )}
      <IconButton className="max-sm:hidden" label={text.previousPrompt} onClick={() => void jump("prompt", "previous")}>
        <Icon name="arrowUp" size={14} />
      </IconButton>
      <IconButton className="max-sm:hidden" label={text.nextPrompt} onClick={() => void jump("prompt", "next")}>
        <Icon name="arrowDown" size={14} />
      </IconButton>
      <IconButton label={text.find} onClick={onFind}>
        <Icon name="search" size={14} />
      </IconButton>
      <Menu
        align="end"
        entries={[
          {
            kind: "item",
            icon: "copy",
            label: text.copyAll,
            onSelect: () => void copyAll(),
          },
          { kind: "item", icon: "arrowDown", label: text.export, onSelect: () => setExporting(true) },
          { kind: "line" },
          { kind: "item", icon: "warning", label: text.previousError, onSelect: () => void jump("error", "previous") },
          { kind: "item", icon: "warning", label: text.nextError, onSelect: () => void jump("error", "next") },
          { kind: "line" },
          menuChoices<MergeMode>({
            label: text.mergeMode,
            value: mergeMode,
            choices: [
              { value: "live", label: text.mergeLive },
              { value: "on-complete", label: text.mergeOnComplete },
              { value: "off", label: text.mergeOff },
            ],
            onChoose: onMergeMode,
          }),
        ]}
        trigger={
          <IconButton label={text.menu}>
            <Icon name="more" size={14} />
          </IconButton>
        }
      />
      {/* The result of a jump or a copy; it disappears after a moment. */}
      <span className="whitespace-nowrap px-1 text-ink-faint text-xs max-sm:sr-only" role="status">
        {said}
      </span>
      {exporting && (
        <Suspense>
          <ExportDialog attemptId={attemptId} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </div>
  );
}
