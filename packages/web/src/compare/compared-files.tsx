import type { Attempt } from "@skein/contracts";
import { Fragment } from "react";
import { ChangeCount } from "../diff/change-count.tsx";
import { DiffView } from "../diff/diff-view.tsx";
import { useText } from "../i18n/locale.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import type { ComparedFile } from "./to-comparison.ts";

export interface ComparedFilesProps {
  attempts: readonly Attempt[];
  files: readonly ComparedFile[];
  /** The attempts whose changes are loaded; the others are left blank. */
  loaded: readonly boolean[];
}

/** A row for each file that any of them changed; when opened, the changes are side by side. */
export function ComparedFiles({ attempts, files, loaded }: ComparedFilesProps) {
  const { compare: words } = useText().taskPage;
  if (files.length === 0) return null;
  return (
    <>
      <tr className="border-line border-t">
        <th className="pt-4 pb-1 text-start font-medium" colSpan={attempts.length + 1} scope="colgroup">
          {words.files}
        </th>
      </tr>
      {files.map((file) => (
        <Fragment key={file.path}>
          <FileRow attempts={attempts} file={file} loaded={loaded} />
        </Fragment>
      ))}
    </>
  );
}

function FileRow({ attempts, file, loaded }: Omit<ComparedFilesProps, "files"> & { file: ComparedFile }) {
  const text = useText();
  const { compare: words } = text.taskPage;
  const [open, setOpen] = useDisclosure(`file:${file.path}`);
  return (
    <>
      <tr className="border-line border-t" data-file={file.path}>
        <th className="py-1.5 pe-3 text-start font-normal" scope="row">
          <button
            aria-expanded={open}
            className="flex w-full items-start gap-1 rounded text-start hover:bg-hover"
            onClick={() => setOpen(!open)}
            type="button"
          >
            <Icon className={`mt-1 text-ink-faint transition-transform ${open ? "rotate-90" : ""}`} name="chevronRight" size={12} />
            <span className="min-w-0 font-mono text-[0.8rem] [overflow-wrap:anywhere]">{file.path}</span>
          </button>
        </th>
        {file.files.map((changed, index) => (
          <td className="border-line border-s px-3 py-1.5" key={attempts[index]?.id}>
            {changed ? (
              <span className="flex items-center gap-2">
                <ChangeCount additions={changed.additions} deletions={changed.deletions} />
                {changed.binary && <span className="text-ink-faint text-xs">{text.tool.binary}</span>}
                {file.isSame && <span className="text-ink-faint text-xs">{words.same}</span>}
              </span>
            ) : (
              <span className="text-ink-faint text-xs">{loaded[index] ? words.untouched : "…"}</span>
            )}
          </td>
        ))}
      </tr>
      {open && (
        <tr className="align-top">
          <td />
          {file.files.map((changed, index) => (
            <td className="border-line border-s px-2 pb-2" key={attempts[index]?.id}>
              {changed && !changed.binary && (
                <div className="overflow-hidden rounded-lg border border-line bg-code">
                  <DiffView file={changed} id={`compare:${attempts[index]?.id}:${file.path}`} maxRows={200} />
                </div>
              )}
            </td>
          ))}
        </tr>
      )}
    </>
  );
}
