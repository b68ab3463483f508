import type { AttemptId, ExportFormat, ExportParts } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { exportAttempt, redactionQuery } from "../api/export-api.ts";
import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { saveResponse } from "../ui/save-file.ts";
import { SwitchSetting } from "../ui/switch-setting.tsx";
import { useAction } from "../ui/use-action.ts";
import { useDebounced } from "../ui/use-debounced.ts";
import { FindingList } from "./finding-list.tsx";
import { useExportText } from "./use-export-text.ts";

const formats: readonly ExportFormat[] = ["html", "markdown", "json"];
const parts = ["thinking", "changes", "messages"] as const satisfies readonly (keyof ExportParts)[];
const everything: ExportParts = { thinking: true, changes: true, messages: true };
const noteClass = "text-ink-soft text-sm";

/** Chooses the format of an export, what it includes, and what of the secrets that were found it redacts. */
export function ExportDialog({ attemptId, onClose }: { attemptId: AttemptId; onClose(): void }) {
  const words = useExportText();
  const { app } = useText();
  const describe = useErrorText();
  const id = useId();
  const [format, setFormat] = useState<ExportFormat>("html");
  const [chosen, setChosen] = useState(everything);
  const [redacts, setRedacts] = useState(true);
  const [keep, setKeep] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState("");
  const settled = useDebounced(typed, 400);
  const ownWords = useMemo(() => toWords(settled), [settled]);
  // Markdown has no protocol messages
  const include = format === "markdown" ? { ...chosen, messages: false } : chosen;
  const { data, error, isFetching } = useQuery({ ...redactionQuery(attemptId, { include, words: ownWords }), enabled: redacts });
  const { busy, error: failure, run } = useAction();
  const download = () => {
    if (busy) return;
    const redaction = redacts ? { keep: [...keep], words: toWords(typed) } : null;
    void run(async () => {
      await saveResponse(await exportAttempt(attemptId, { format, include, redaction }));
      onClose();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    download();
  };
  return (
    <Dialog
      description={words.what}
      onKeyDown={onKeyDown}
      onOpenChange={(open) => !open && onClose()}
      open
      title={words.title}
      width="wide"
    >
      <div className="space-y-4">
        <div>
          <ChoiceGroup<ExportFormat>
            choices={formats.map((value) => ({ value, label: words.formats[value].label }))}
            label={words.format}
            onChange={setFormat}
            value={format}
          />
          <p className={`mt-1 ${noteClass}`}>{words.formats[format].hint}</p>
        </div>
        <fieldset>
          <legend className="font-medium text-sm">{words.include}</legend>
          <div className="flex flex-wrap gap-x-5">
            {parts.map((part) => (
              <label className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 text-sm" key={part}>
                <input
                  checked={include[part]}
                  className="size-4 accent-accent"
                  disabled={part === "messages" && format === "markdown"}
                  onChange={(event) => setChosen({ ...chosen, [part]: event.target.checked })}
                  type="checkbox"
                />
                {words.parts[part]}
              </label>
            ))}
          </div>
        </fieldset>
        <SwitchSetting
          checked={redacts}
          label={words.redact}
          note={<p className={redacts ? noteClass : "text-sm text-warn"}>{redacts ? words.redactHint : words.notRedacted}</p>}
          onChange={setRedacts}
        />
        {redacts && (
          <>
            {data === undefined ? (
              error === null && (
                <p className={`flex items-center gap-2 ${noteClass}`} role="status">
                  <Spinner size={14} />
                  {words.looking}
                </p>
              )
            ) : (
              <FindingList isStale={isFetching} keep={keep} onKeep={setKeep} preview={data} />
            )}
            {error && <ErrorText>{describe(error)}</ErrorText>}
            <div>
              <label className="mb-1 block font-medium text-sm" htmlFor={id}>
                {words.words}
              </label>
              <textarea
                className="field-sizing-content max-h-32 min-h-9 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 text-sm placeholder:text-ink-faint"
                id={id}
                onChange={(event) => setTyped(event.target.value)}
                placeholder={words.wordsHint}
                value={typed}
              />
            </div>
          </>
        )}
        {failure && <ErrorText>{failure}</ErrorText>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button disabled={busy} look="primary" onClick={download}>
            {busy && <Spinner size={14} />}
            {words.download}
            <KeyHint keys="Ctrl/⌘ ↵" />
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** One per line; what is too short to be looked for is left out. */
function toWords(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim().slice(0, 500));
  return [...new Set(lines.filter((line) => line.length >= 2))].slice(0, 200);
}
