import type { AttemptId, ExportFormat, ExportParts } from "@skein/contracts";
import type { KeyboardEvent } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Field } from "../ui/field.tsx";
import { Spinner } from "../ui/icon.tsx";
import { SwitchSetting } from "../ui/switch-setting.tsx";
import { FindingList } from "./finding-list.tsx";
import { useExport } from "./use-export.ts";
import { useExportText } from "./use-export-text.ts";

const formats: readonly ExportFormat[] = ["html", "markdown", "json"];
const parts = ["thinking", "changes", "messages"] as const satisfies readonly (keyof ExportParts)[];
const noteClass = "text-ink-soft text-sm";

type Chosen = ReturnType<typeof useExport>;

/** Chooses the format and content of an export, and which of the secrets found in it are redacted. */
export function ExportDialog({ attemptId, onClose }: { attemptId: AttemptId; onClose(): void }) {
  const words = useExportText();
  const chosen = useExport(attemptId, { onSaved: onClose });
  const format = useFormats();
  const { redacts, busy, failure, received, download } = chosen;
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
        <Content {...chosen} />
        <SwitchSetting
          checked={redacts}
          label={words.redact}
          note={<p className={redacts ? noteClass : "text-sm text-warn"}>{redacts ? words.redactHint : words.notRedacted}</p>}
          onChange={chosen.setRedacts}
        />
        {redacts && <Redaction {...chosen.redaction} />}
        {received !== null && (
          <p className={noteClass} role="status">
            {words.received(format.bytes(received))}
          </p>
        )}
        {failure && <ErrorText>{failure}</ErrorText>}
        <DialogActions busy={busy} keys="Ctrl/⌘ ↵" onCancel={onClose} onSubmit={download}>
          {words.download}
        </DialogActions>
      </div>
    </Dialog>
  );
}

function Content({ format, setFormat, include, setPart }: Chosen) {
  const words = useExportText();
  return (
    <>
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
                onChange={(event) => setPart(part, event.target.checked)}
                type="checkbox"
              />
              {words.parts[part]}
            </label>
          ))}
        </div>
      </fieldset>
    </>
  );
}

function Redaction({ preview, keep, setKeep, typed, setTyped }: Chosen["redaction"]) {
  const words = useExportText();
  const describe = useErrorText();
  const { data, error, isFetching } = preview;
  return (
    <>
      {data !== undefined && <FindingList isStale={isFetching} keep={keep} onKeep={setKeep} preview={data} />}
      {data === undefined && error === null && (
        <p className={`flex items-center gap-2 ${noteClass}`} role="status">
          <Spinner size={14} />
          {words.looking}
        </p>
      )}
      {error && <ErrorText>{describe(error)}</ErrorText>}
      <Field label={words.words}>
        {(field) => (
          <textarea
            {...field}
            className="field-sizing-content max-h-32 min-h-9 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 text-sm placeholder:text-ink-faint"
            onChange={(event) => setTyped(event.target.value)}
            placeholder={words.wordsHint}
            value={typed}
          />
        )}
      </Field>
    </>
  );
}
