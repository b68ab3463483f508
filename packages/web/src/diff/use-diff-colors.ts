import { useCallback, useMemo } from "react";
import type { CodeLine } from "../highlight/code-token.ts";
import { languageOfPath } from "../highlight/language-of.ts";
import { useHighlight } from "../highlight/use-highlight.ts";
import type { DiffRow } from "./to-diff-rows.ts";

/** The colours of each row of a diff. Each side is read as a text of its own, so that a removed line does not change the added one. */
export function useDiffColors(filePath: string, rows: readonly DiffRow[]): (row: DiffRow) => CodeLine | undefined {
  const language = useMemo(() => languageOfPath(filePath), [filePath]);
  const sides = useMemo(() => toSides(rows), [rows]);
  const oldLines = useHighlight(sides.oldText, language);
  const newLines = useHighlight(sides.newText, language);
  return useCallback(
    (row) => {
      const place = sides.places.get(row);
      if (place === undefined) return undefined;
      return (row.kind === "removed" ? oldLines : newLines)?.[place];
    },
    [sides, oldLines, newLines],
  );
}

function toSides(rows: readonly DiffRow[]): { oldText: string; newText: string; places: Map<DiffRow, number> } {
  const places = new Map<DiffRow, number>();
  const oldLines: string[] = [];
  const newLines: string[] = [];
  for (const row of rows) {
    if (row.kind === "removed") places.set(row, oldLines.push(row.text) - 1);
    else if (row.kind === "added") places.set(row, newLines.push(row.text) - 1);
    else if (row.kind === "context") {
      oldLines.push(row.text);
      places.set(row, newLines.push(row.text) - 1);
    }
  }
  return { oldText: oldLines.join("\n"), newText: newLines.join("\n"), places };
}
