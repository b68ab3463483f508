import type { FileDiff } from "@skein/contracts";
import { memo, useMemo } from "react";
import { useText } from "../i18n/locale.tsx";
import { ShowAllButton } from "../tools/renderers/panel.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { type DiffRow, toDiffRows } from "./to-diff-rows.ts";

const boundedRows = 80;

const looks: Record<DiffRow["kind"], { row: string; sign: string }> = {
  hunk: { row: "bg-hover text-ink-faint", sign: "" },
  context: { row: "", sign: " " },
  added: { row: "bg-good-wash", sign: "+" },
  removed: { row: "bg-bad-wash", sign: "−" },
  note: { row: "text-ink-faint italic", sign: "" },
};

/** One file, unified: old and new line numbers, a sign and a colour for what changed. */
export function DiffView({ id, file }: { id: string; file: FileDiff }) {
  const text = useText();
  const [all, setAll] = useDisclosure(`${id}:all`);
  const rows = useMemo(() => toDiffRows(file), [file]);
  if (rows.length === 0) return <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.noTextChange}</p>;
  const shown = all || rows.length <= boundedRows + 5 ? rows : rows.slice(0, boundedRows);
  return (
    <ScrollBox className="max-h-[70vh]">
      <DiffTable rows={shown} />
      {shown.length < rows.length && (
        <ShowAllButton onClick={() => setAll(true)}>{text.conversation.showAll(rows.length - shown.length)}</ShowAllButton>
      )}
    </ScrollBox>
  );
}

const DiffTable = memo(function DiffTable({ rows }: { rows: DiffRow[] }) {
  return (
    <table className="w-full min-w-max border-collapse font-mono text-[0.8rem] leading-[1.55]" dir="ltr">
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are in fixed order
          <DiffLine key={index} row={row} />
        ))}
      </tbody>
    </table>
  );
});

function DiffLine({ row }: { row: DiffRow }) {
  const look = looks[row.kind];
  const numberClass = "w-px select-none px-2 text-end align-top text-ink-faint tabular-nums";
  return (
    <tr className={look.row} data-kind={row.kind}>
      <td className={numberClass}>{"oldLine" in row ? row.oldLine : ""}</td>
      <td className={numberClass}>{"newLine" in row ? row.newLine : ""}</td>
      <td className="w-px select-none ps-1 align-top text-ink-soft">{look.sign}</td>
      <td className="whitespace-pre px-2">{row.kind === "hunk" ? row.header : row.text}</td>
    </tr>
  );
}

export function ChangeCount({ additions, deletions }: { additions: number; deletions: number }) {
  const text = useText();
  return (
    <span className="shrink-0 font-mono text-xs tabular-nums">
      {additions > 0 && (
        <span className="text-good">
          <span aria-hidden="true">+{additions}</span>
          <span className="sr-only">{text.tool.added(additions)}</span>
        </span>
      )}
      {additions > 0 && deletions > 0 && " "}
      {deletions > 0 && (
        <span className="text-bad">
          <span aria-hidden="true">−{deletions}</span>
          <span className="sr-only">{text.tool.removed(deletions)}</span>
        </span>
      )}
    </span>
  );
}
