import type { AttemptDiff, AttemptId } from "@skein/contracts";
import { ChangedFileView } from "../changes/changed-file.tsx";
import { NotCompared } from "../changes/not-compared.tsx";
import { useTaskText } from "../i18n/task-text.ts";

/** With more files, all start collapsed. */
const maxOpenAtFirst = 20;

/** The attempt's changes since its base commit, as the Changes pane shows them. */
export function ChangesView({ attemptId, changes }: { attemptId: AttemptId; changes: AttemptDiff }) {
  const text = useTaskText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="scroll-quiet h-full space-y-3 overflow-y-auto p-3 sm:px-6" tabIndex={0}>
      {changes.truncated && <p className="rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">{text.changes.truncated}</p>}
      {changes.files.map((file) => (
        <ChangedFileView
          attemptId={attemptId}
          file={file}
          key={file.pathBytes ?? file.filePath}
          layout="unified"
          openAtFirst={changes.files.length <= maxOpenAtFirst}
        />
      ))}
      <NotCompared diff={changes} />
      {changes.baseCommit && <p className="text-ink-faint text-xs">{text.changes.against(changes.baseCommit.slice(0, 8))}</p>}
    </div>
  );
}
