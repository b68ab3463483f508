import { type CleanItem, cleanKindSchema, type KeptItem } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useCleanText } from "./use-clean-text.ts";

/** By kind; each item, and all of a kind, can be left out. */
export function CleanItems(props: {
  items: readonly CleanItem[];
  left: ReadonlySet<string>;
  now: number;
  onToggle(ids: readonly string[], isChosen: boolean): void;
}) {
  const { items, left, now, onToggle } = props;
  const words = useCleanText();
  const byKind = Map.groupBy(items, ({ kind }) => kind);
  return cleanKindSchema.options.map((kind) => {
    const ofKind = byKind.get(kind) ?? [];
    if (ofKind.length === 0) return null;
    const ids = ofKind.map(({ id }) => id);
    return (
      <fieldset className="mt-4" key={kind}>
        <legend className="font-medium text-sm">
          <label className="flex min-h-8 items-center gap-2">
            <input
              checked={ids.some((id) => !left.has(id))}
              className="size-4 accent-accent"
              onChange={(event) => onToggle(ids, event.target.checked)}
              type="checkbox"
            />
            {words.kinds[kind]}
          </label>
        </legend>
        <ul className="divide-y divide-line rounded-lg border border-line">
          {ofKind.map((item) => (
            <Row isChosen={!left.has(item.id)} item={item} key={item.id} now={now} onChange={(isChosen) => onToggle([item.id], isChosen)} />
          ))}
        </ul>
      </fieldset>
    );
  });
}

function Row({ item, isChosen, now, onChange }: { item: CleanItem; isChosen: boolean; now: number; onChange(isChosen: boolean): void }) {
  const words = useCleanText();
  const format = useFormats();
  const id = useId();
  return (
    <li className="flex items-start gap-2 px-3 py-2 text-sm">
      <input
        aria-labelledby={`${id}-title`}
        checked={isChosen}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        onChange={(event) => onChange(event.target.checked)}
        type="checkbox"
      />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <Link className="font-medium" id={`${id}-title`} params={{ taskId: item.taskId }} to="/t/$taskId">
          {words.attempt(item.taskTitle, item.number)}
        </Link>
        <p className="text-ink-soft">{words.describe(item)}</p>
        <p className="text-ink-faint text-xs">
          {item.bytes === null ? words.unknownSize : format.bytes(item.bytes)} · {words.unused(format.age(now - item.lastUsedAt))}
        </p>
      </div>
    </li>
  );
}

/** What looks removable and is not, with the reason. */
export function KeptItems({ kept }: { kept: readonly KeptItem[] }) {
  const words = useCleanText();
  return (
    <details className="mt-4 text-sm">
      <summary className="min-h-8 cursor-pointer font-medium">{words.kept(kept.length)}</summary>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {kept.map((item) => (
          <li className="px-3 py-2 [overflow-wrap:anywhere]" key={item.id}>
            <Link className="font-medium" params={{ taskId: item.taskId }} to="/t/$taskId">
              {words.attempt(item.taskTitle, item.number)}
            </Link>
            <p className="text-ink-soft">
              {words.kinds[item.kind]} · {words.why(item.why)}
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}
