import type { AttemptId, ExportFormat, ExportParts } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { exportAttempt, redactionQuery } from "../api/export-api.ts";
import { saveResponse } from "../ui/save-file.ts";
import { useAction } from "../ui/use-action.ts";
import { useDebounced } from "../ui/use-debounced.ts";

const everything: ExportParts = { thinking: true, changes: true, messages: true };

/** How much was received is shown if it takes long. */
const progressAfterMs = 3000;
const progressEveryMs = 300;

/** What is chosen for an export, the preview of what it redacts, and the download. */
export function useExport(attemptId: AttemptId, { onSaved }: { onSaved(): void }) {
  const [format, setFormat] = useState<ExportFormat>("html");
  const [chosen, setChosen] = useState(everything);
  const [redacts, setRedacts] = useState(true);
  const [keep, setKeep] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState("");
  const settled = useDebounced(typed, 400);
  const words = useMemo(() => toWords(settled), [settled]);
  // Markdown has no protocol messages
  const include = format === "markdown" ? { ...chosen, messages: false } : chosen;
  const preview = useQuery({ ...redactionQuery(attemptId, { include, words }), enabled: redacts });
  const { busy, error: failure, run } = useAction();
  const [received, setReceived] = useState<number | null>(null);
  return {
    format,
    setFormat,
    include,
    setPart: (part: keyof ExportParts, isIncluded: boolean) => setChosen({ ...chosen, [part]: isIncluded }),
    redacts,
    setRedacts,
    redaction: { preview, keep, setKeep, typed, setTyped },
    busy,
    failure,
    received,
    download() {
      if (busy) return;
      const redaction = redacts ? { keep: [...keep], words: toWords(typed) } : null;
      void run(async () => {
        let next = performance.now() + progressAfterMs;
        try {
          await saveResponse(await exportAttempt(attemptId, { format, include, redaction }), (bytes) => {
            if (performance.now() < next) return;
            next = performance.now() + progressEveryMs;
            setReceived(bytes);
          });
        } finally {
          setReceived(null);
        }
        onSaved();
      });
    },
  };
}

/** One word per line. Those that are too short to be searched for are ignored. */
function toWords(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim().slice(0, 500));
  return [...new Set(lines.filter((line) => line.length >= 2))].slice(0, 200);
}
