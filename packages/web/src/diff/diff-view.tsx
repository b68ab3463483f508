import type { FileDiff } from "@skein/contracts";
import { Fragment, memo, type ReactNode, useDeferredValue, useMemo } from "react";
import type { CodeLine } from "../highlight/code-token.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { useShownItems } from "../ui/use-shown-items.tsx";
import type { ChangedPart } from "./changed-part.ts";
import { DiffLineText } from "./diff-line-text.tsx";
import { type LineNotes, LinePicker } from "./line-picker.tsx";
import { keysOfRow, keysOfSplitRow, type LineKey, rowsPerPart, toPartKeys } from "./line-place.ts";
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
  /** What is below its lines, where they can be chosen. */
  notes?: LineNotes | undefined;
}

const noKeys: ReadonlySet<LineKey> = new Set();

/** One file: line numbers of both sides, a sign and a colour for what changed, and the colours of its language. */
export function DiffView({ id, file, layout: wantedLayout = "unified", maxRows = 80, notes }: DiffViewProps) {
  const text = useTaskText();
  const drawHunk = notes?.drawHunk;
  const rows = useMemo(() => toDiffRows(file, { allHeaders: drawHunk !== undefined }), [file, drawHunk]);
  const { shown: wanted, more } = useShownItems(rows, { id, first: maxRows, label: text.conversation.showAll });
  // More rows, the other layout and colours that have arrived draw thousands of rows: the page responds meanwhile.
  const shown = useDeferredValue(wanted);
  const layout = useDeferredValue(wantedLayout);
  const colors = useDeferredValue(useDiffColors(file.filePath, shown));
  const parts = useMemo(() => toChangedParts(shown), [shown]);
  const keys = notes?.keys ?? noKeys;
  const hidden = useMemo(() => countHidden(rows, shown.length, keys), [rows, shown, keys]);
  if (rows.length === 0) return <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.noTextChange}</p>;
  const props = { colors, id, parts, rows: shown, noteKeys: keys, drawNote: notes?.draw, drawHunk };
  const table = layout === "split" ? <SplitTable {...props} /> : <UnifiedTable {...props} />;
  return (
    <div className="@container">
      <ScrollBox className="max-h-[70vh]">
        {notes ? (
          <LinePicker isSplit={layout === "split"} notes={notes}>
            {table}
          </LinePicker>
        ) : (
          table
        )}
        {hidden > 0 && notes && <p className="sticky start-0 w-fit px-3 py-1 text-sm text-warn">{notes.hiddenLabel(hidden)}</p>}
        {more}
      </ScrollBox>
    </div>
  );
}

/** The lines with something below them that are beyond the rows that are shown. */
function countHidden(rows: readonly DiffRow[], shown: number, keys: ReadonlySet<LineKey>): number {
  if (keys.size === 0 || shown === rows.length) return 0;
  return rows.slice(shown).reduce((count, row) => count + keysOfRow(row).filter((key) => keys.has(key)).length, 0);
}

interface LineProps {
  id: string;
  colors: (row: DiffRow) => CodeLine | undefined;
  /** What differs within lines that took each other's place. */
  parts: ReadonlyMap<DiffRow, ChangedPart>;
}

interface TableProps extends LineProps {
  rows: readonly DiffRow[];
  noteKeys: ReadonlySet<LineKey>;
  /** Undefined where lines cannot be chosen. */
  drawNote: LineNotes["draw"] | undefined;
  drawHunk: LineNotes["drawHunk"];
}

/** A part of a table's rows. It is drawn again only when one of these changes. */
interface PartProps<Row> extends LineProps {
  rows: readonly Row[];
  from: number;
  /** The lines with something below them, joined by spaces. */
  noted: string;
  drawNote: LineNotes["draw"] | undefined;
  drawHunk: LineNotes["drawHunk"];
}

const tableClass = "w-full border-collapse font-mono text-[0.8rem] leading-[1.55]";
const numberClass = "w-px select-none px-2 text-end align-top text-ink-faint tabular-nums";

function UnifiedTable({ noteKeys, ...props }: TableProps) {
  const { rows } = props;
  const rowKeys = useMemo(() => rows.map(keysOfRow), [rows]);
  const noted = useMemo(() => toPartKeys(rowKeys, noteKeys), [rowKeys, noteKeys]);
  return (
    <table className={`${tableClass} min-w-max`} dir="ltr">
      {noted.map((keys, part) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are in fixed order
        <UnifiedPart {...props} from={part * rowsPerPart} key={part} noted={keys} />
      ))}
    </table>
  );
}

const UnifiedPart = memo(({ id, rows, from, colors, parts, noted, drawNote, drawHunk }: PartProps<DiffRow>) => (
  <tbody>
    {rows.slice(from, from + rowsPerPart).map((row, offset) => {
      const index = from + offset;
      const look = looks[row.kind];
      const keys = keysOfRow(row);
      return (
        <Fragment key={index}>
          <tr
            className={look.row}
            data-hunk={startsChange(rows, index) || undefined}
            data-kind={row.kind}
            {...(drawNote ? toPickable(keys, isFirstLine(rows, index)) : {})}
          >
            <td className={numberClass}>{"oldLine" in row ? row.oldLine : ""}</td>
            <td className={numberClass}>{"newLine" in row ? row.newLine : ""}</td>
            <td className="w-px select-none ps-1 align-top text-ink-soft">{look.sign}</td>
            <td className="whitespace-pre px-2">
              {row.kind === "hunk" ? (
                <HunkHeader drawHunk={drawHunk} row={row} />
              ) : (
                <DiffLineText id={`${id}:${index}`} line={colors(row)} mark={parts.get(row)} text={row.text} />
              )}
            </td>
          </tr>
          {drawNotes(keys, noted, drawNote)}
        </Fragment>
      );
    })}
  </tbody>
));

function HunkHeader({ row, drawHunk }: { row: Extract<DiffRow, { kind: "hunk" }>; drawHunk: LineNotes["drawHunk"] }) {
  if (!drawHunk) return row.header;
  return (
    <span className="flex items-center gap-2">
      {row.header}
      {/* in view however far the lines are scrolled */}
      <span className="sticky end-2 ms-auto font-sans">{drawHunk(row.hunk)}</span>
    </span>
  );
}

function SplitTable({ noteKeys, rows, ...props }: TableProps) {
  const split = useMemo(() => toSplitRows(rows), [rows]);
  const rowKeys = useMemo(() => split.map(keysOfSplitRow), [split]);
  const noted = useMemo(() => toPartKeys(rowKeys, noteKeys), [rowKeys, noteKeys]);
  return (
    <table className={`${tableClass} table-fixed`} dir="ltr">
      <colgroup>
        <col className="w-12" />
        <col />
        <col className="w-12" />
        <col />
      </colgroup>
      {noted.map((keys, part) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are in fixed order
        <SplitPart {...props} from={part * rowsPerPart} key={part} noted={keys} rows={split} />
      ))}
    </table>
  );
}

const SplitPart = memo(({ id, rows, from, colors, parts, noted, drawNote, drawHunk }: PartProps<SplitRow>) => (
  <tbody>
    {rows.slice(from, from + rowsPerPart).map((row, offset) => {
      const index = from + offset;
      if (row.kind === "hunk")
        return (
          <tr className={looks.hunk.row} key={index}>
            <td className="px-2" colSpan={4}>
              <HunkHeader drawHunk={drawHunk} row={row} />
            </td>
          </tr>
        );
      const keys = keysOfSplitRow(row);
      return (
        <Fragment key={index}>
          <tr
            className="align-top"
            data-hunk={(isSplitChange(row) && !isSplitChange(rows[index - 1])) || undefined}
            {...(drawNote ? toPickable(keys, isFirstLine(rows, index)) : {})}
          >
            <SplitSide
              colors={colors}
              id={`${id}:${index}:old`}
              number={row.left && "oldLine" in row.left ? row.left.oldLine : null}
              parts={parts}
              row={row.left}
            />
            <SplitSide
              colors={colors}
              id={`${id}:${index}:new`}
              number={row.right && "newLine" in row.right ? row.right.newLine : null}
              parts={parts}
              row={row.right}
            />
          </tr>
          {drawNotes(keys, noted, drawNote)}
        </Fragment>
      );
    })}
  </tbody>
));

const isSplitChange = (row: SplitRow | undefined): boolean => row?.kind === "pair" && row.left?.kind !== "context";

interface SplitSideProps extends LineProps {
  row: Extract<DiffRow, { text: string }> | null;
  number: number | null;
}

function SplitSide({ id, row, number, colors, parts }: SplitSideProps) {
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

const isFirstLine = (rows: readonly (DiffRow | SplitRow)[], index: number): boolean =>
  index === 0 || (index === 1 && rows[0]?.kind === "hunk");

/** What the line picker needs of a row: its lines, and the focus, which Tab gives to the first row. */
function toPickable(keys: readonly LineKey[], isFirst: boolean) {
  if (keys.length === 0) return {};
  const lineOf = (side: string): string | undefined => keys.find((key) => key.startsWith(side))?.slice(side.length + 1);
  return {
    "aria-keyshortcuts": "c",
    "data-line": true,
    "data-new": lineOf("new"),
    "data-old": lineOf("old"),
    tabIndex: isFirst ? 0 : -1,
  };
}

/** As wide as what is in view, however long the lines are. */
function drawNotes(keys: readonly LineKey[], noted: string, draw: LineNotes["draw"] | undefined): ReactNode {
  if (noted === "" || !draw) return null;
  const all = noted.split(" ");
  return keys
    .filter((key) => all.includes(key))
    .map((key) => (
      <tr data-notes={key} key={key}>
        <td className="p-0 font-sans leading-normal" colSpan={4}>
          <div className="sticky start-0 w-[min(46rem,100cqw)] whitespace-normal p-2">{draw(key)}</div>
        </td>
      </tr>
    ));
}

/** Where the next change begins: lines that change together are one stop. */
function startsChange(rows: readonly DiffRow[], index: number): boolean {
  const isChange = (row: DiffRow | undefined) => row?.kind === "added" || row?.kind === "removed";
  return isChange(rows[index]) && !isChange(rows[index - 1]);
}
