import { useEffect, useState } from "react";
import { loadPart } from "../api/load-part.ts";
import type { CodeLine } from "./code-token.ts";

/** Text that still grows is coloured when it has stopped for a moment. */
const settleMs = 60;

/** Null until the colours are there, and where there are none: then the text itself is shown. */
export function useHighlight(code: string, language: string | null): readonly CodeLine[] | null {
  const [done, setDone] = useState<{ code: string; lines: CodeLine[] | null } | null>(null);
  useEffect(() => {
    if (language === null || code === "") return;
    let wanted = true;
    const timer = setTimeout(() => {
      loadPart(() => import("./highlighter.ts"))
        .then(({ highlight }) => highlight(code, language))
        .then((lines) => wanted && setDone({ code, lines }))
        // Without colours it can be read as well.
        .catch(() => {});
    }, settleMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return done?.code === code ? done.lines : null;
}
