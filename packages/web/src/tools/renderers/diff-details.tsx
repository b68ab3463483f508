import type { FileDiff } from "@skein/contracts";
import { useMemo } from "react";
import { ChangeCount } from "../../diff/change-count.tsx";
import { DiffView } from "../../diff/diff-view.tsx";
import { countChanges, toDiffRows } from "../../diff/to-diff-rows.ts";
import { useTaskText } from "../../i18n/task-text.ts";
import { firstLine } from "../../text/first-line.ts";
import { useShownItems } from "../../ui/use-shown-items.tsx";
import type { DetailsData } from "./details-data.ts";
import { Panel } from "./panel.tsx";

export function DiffDetails({ id, data }: { id: string; data: DetailsData<"diff"> }) {
  const files = useMemo(() => [data, ...(data.otherFiles ?? [])], [data]);
  return <FileDiffs files={files} id={id} />;
}

/** What a command changed besides what it printed. */
export function ChangedFiles({ id, files }: { id: string; files: readonly FileDiff[] }) {
  const text = useTaskText();
  if (files.length === 0) return null;
  return (
    <section className="space-y-1.5">
      <h3 className="text-ink-faint text-xs">{text.tool.changedFiles(files.length)}</h3>
      <FileDiffs files={files} id={id} />
    </section>
  );
}

/** Each file in a panel of its own. */
export function FileDiffs({ id, files }: { id: string; files: readonly FileDiff[] }) {
  const text = useTaskText();
  const counted = useMemo(() => files.map((file) => ({ file, changes: countChanges(toDiffRows(file)) })), [files]);
  const { shown, more } = useShownItems(counted, { id, first: 50 });
  return (
    <div className="space-y-2">
      {shown.map(({ file, changes }, index) => (
        <Panel
          aside={<ChangeCount {...changes} />}
          key={file.filePath}
          title={
            <>
              <span className="font-mono">{firstLine(file.filePath, 1000)}</span>
              {file.change && file.change !== "updated" && <span className="ms-2 text-ink-faint">{text.tool[file.change]}</span>}
            </>
          }
        >
          <DiffView file={file} id={`${id}:${index}`} />
        </Panel>
      ))}
      {more}
    </div>
  );
}
