import { useEffect, useState } from "react";
import type { CodeLine } from "./code-token.ts";

/** Text that still grows is coloured when it has stopped for a moment. */
const settleMs = 60;

/** Null until the colours are there, and where there are none: then the text itself is shown. */
export function useHighlight(code: string, language: string | null): readonly CodeLine[] | null {
  const [done, setDone] = useState<{ code: string; lines: CodeLine[] | null } | null>(null);
  useEffect(() => {
    if (language === null || code === "") return;
    let wanted = true;
    const timer = setTimeout(async () => {
      const { highlight } = await import("./highlighter.ts");
      const lines = await highlight(code, language);
      if (wanted) setDone({ code, lines });
    }, settleMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return done?.code === code ? done.lines : null;
}
