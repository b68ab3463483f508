import type { FileDiff } from "@skein/contracts";
import { useMemo } from "react";
import type { CodeLine } from "../highlight/code-token.ts";
import { useText } from "../i18n/locale.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { useShownItems } from "../ui/use-shown-items.tsx";
import type { ChangedPart } from "./changed-part.ts";
import { DiffLineText } from "./diff-line-text.tsx";
import { type DiffRow, toDiffRows } from "./to-diff-rows.ts";
import { type SplitRow, toChangedParts, toSplitRows } from "./to-split-rows.ts";
import { useDiffColors } from "./use-diff-colors.ts";

const looks: Record<DiffRow["kind"], { row: string; sign: string }> = {
  hunk: { row: "bg-hover text-ink-faint", sign: "" },
  context: { row: "", sign: " " },
  added: { row: "bg-good-wash", sign: "+" },
  removed: { row: "bg-bad-wash", sign: "−" },
  note: { row: "text-ink-faint italic", sign: "" },
};

export type DiffLayout = "unified" | "split";

export interface DiffViewProps {
  id: string;
  file: FileDiff;
  layout?: DiffLayout;
  /** How many rows are shown at first. */
  maxRows?: number;
}

/** One file: line numbers of both sides, a sign and a colour for what changed, and the colours of its language. */
export function DiffView({ id, file, layout = "unified", maxRows = 80 }: DiffViewProps) {
  const text = useText();
  const rows = useMemo(() => toDiffRows(file), [file]);
  const { shown, more } = useShownItems(rows, { id, first: maxRows, label: text.conversation.showAll });
  const colors = useDiffColors(file.filePath, shown);
  const parts = useMemo(() => toChangedParts(shown), [shown]);
  if (rows.length === 0) return <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.noTextChange}</p>;
  return (
    <ScrollBox className="max-h-[70vh]">
      {layout === "split" ? (
        <SplitTable colors={colors} id={id} parts={parts} rows={shown} />
      ) : (
        <UnifiedTable colors={colors} id={id} parts={parts} rows={shown} />
      )}
      {more}
    </ScrollBox>
  );
}

interface TableProps {
  id: string;
  rows: readonly DiffRow[];
  colors: (row: DiffRow) => CodeLine | undefined;
  /** What differs within lines that took each other's place. */
  parts: ReadonlyMap<DiffRow, ChangedPart>;
}

const tableClass = "w-full border-collapse font-mono text-[0.8rem] leading-[1.55]";
const numberClass = "w-px select-none px-2 text-end align-top text-ink-faint tabular-nums";

function UnifiedTable({ id, rows, colors, parts }: TableProps) {
  return (
    <table className={`${tableClass} min-w-max`} dir="ltr">
      <tbody>
        {rows.map((row, index) => {
          const look = looks[row.kind];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are in fixed order
            <tr className={look.row} data-hunk={startsChange(rows, index) || undefined} data-kind={row.kind} key={index}>
              <td className={numberClass}>{"oldLine" in row ? row.oldLine : ""}</td>
              <td className={numberClass}>{"newLine" in row ? row.newLine : ""}</td>
              <td className="w-px select-none ps-1 align-top text-ink-soft">{look.sign}</td>
              <td className="whitespace-pre px-2">
                {row.kind === "hunk" ? (
                  row.header
                ) : (
                  <DiffLineText id={`${id}:${index}`} line={colors(row)} mark={parts.get(row)} text={row.text} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function SplitTable({ id, rows, colors, parts }: TableProps) {
  const split = useMemo(() => toSplitRows(rows), [rows]);
  const isChange = (row: SplitRow | undefined) => row?.kind === "pair" && row.left?.kind !== "context";
  return (
    <table className={`${tableClass} table-fixed`} dir="ltr">
      <colgroup>
        <col className="w-12" />
        <col />
        <col className="w-12" />
        <col />
      </colgroup>
      <tbody>
        {split.map((row, index) =>
          row.kind === "hunk" ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are in fixed order
            <tr className={looks.hunk.row} key={index}>
              <td className="px-2" colSpan={4}>
                {row.header}
              </td>
            </tr>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are in fixed order
            <tr className="align-top" data-hunk={(isChange(row) && !isChange(split[index - 1])) || undefined} key={index}>
              <SplitSide
                colors={colors}
                id={`${id}:${index}:old`}
                parts={parts}
                number={row.left && "oldLine" in row.left ? row.left.oldLine : null}
                row={row.left}
              />
              <SplitSide
                colors={colors}
                id={`${id}:${index}:new`}
                parts={parts}
                number={row.right && "newLine" in row.right ? row.right.newLine : null}
                row={row.right}
              />
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

interface SplitSideProps {
  row: Extract<DiffRow, { text: string }> | null;
  number: number | null;
}

function SplitSide({ id, row, number, colors, parts }: Omit<TableProps, "rows"> & SplitSideProps) {
  const look = row ? looks[row.kind].row : "bg-sunken";
  return (
    <>
      <td className={`${numberClass} ${look}`}>{number}</td>
      <td className={`whitespace-pre-wrap border-line px-2 [overflow-wrap:anywhere] even:border-e ${look}`}>
        {row && <span className="sr-only">{looks[row.kind].sign}</span>}
        {row && <DiffLineText id={id} line={colors(row)} mark={parts.get(row)} text={row.text} />}
      </td>
    </>
  );
}

/** Where the next change begins: lines that change together are one stop. */
function startsChange(rows: readonly DiffRow[], index: number): boolean {
  const isChange = (row: DiffRow | undefined) => row?.kind === "added" || row?.kind === "removed";
  return isChange(rows[index]) && !isChange(rows[index - 1]);
}
