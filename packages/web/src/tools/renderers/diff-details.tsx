import { useMemo } from "react";
import { ChangeCount, DiffView } from "../../diff/diff-view.tsx";
import { countChanges, toDiffRows } from "../../diff/to-diff-rows.ts";
import { useText } from "../../i18n/locale.tsx";
import type { DetailsData } from "./details-data.ts";
import { Panel } from "./panel.tsx";

export function DiffDetails({ id, data }: { id: string; data: DetailsData<"diff"> }) {
  const text = useText();
  const files = useMemo(
    () => [data, ...(data.otherFiles ?? [])].map((file) => ({ file, changes: countChanges(toDiffRows(file)) })),
    [data],
  );
  return (
    <div className="space-y-2">
      {files.map(({ file, changes }, index) => (
        <Panel
          aside={<ChangeCount {...changes} />}
          key={file.filePath}
          title={
            <>
              <span className="font-mono">{file.filePath}</span>
              {file.change && file.change !== "updated" && <span className="ms-2 text-ink-faint">{text.tool[file.change]}</span>}
            </>
          }
        >
          <DiffView file={file} id={`${id}:${index}`} />
        </Panel>
      ))}
    </div>
  );
}
