import type { ImportableSession, ImportSourceInfo } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { PathText } from "../ui/path-text.tsx";
import { useGrowingList } from "../ui/use-growing-list.ts";
import { type Choices, chooseAll, isChosen, isImportable, toChoiceKey } from "./chosen-sessions.ts";
import { ImportProblems } from "./import-problems.tsx";
import { useImportText } from "./use-import-text.ts";

const step = 100;
const smallestRow = 52;

/** The sessions of one program, newest first. */
export function ImportSourceList({
  info,
  choices,
  onChoose,
}: {
  info: ImportSourceInfo;
  choices: Choices;
  onChoose(choices: Choices): void;
}) {
  const words = useImportText();
  const format = useFormats();
  const id = useId();
  const { source, name, places, sessions, problems } = info;
  const { shown, sentinel } = useGrowingList(sessions, { step, smallestHeight: smallestRow });
  const fresh = sessions.filter((session) => session.state !== "deleted" && isImportable(session));
  const isAll = fresh.length > 0 && fresh.every((session) => isChosen(source, session, choices));
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 className="font-semibold" id={id}>
        {name}
      </h2>
      <p className="text-ink-soft text-sm">
        {words.found(sessions.length)} · {words.fresh(fresh.length)} · {format.bytes(bytes)}
      </p>
      {places.map((place) => (
        <p className="text-ink-faint text-xs" key={place}>
          <PathText text={place} />
        </p>
      ))}
      <ImportProblems problems={problems} />
      {fresh.length > 0 && (
        <label className="mt-2 flex min-h-8 pointer-coarse:min-h-11 w-fit items-center gap-2 text-sm">
          <input
            checked={isAll}
            className="size-4 accent-accent"
            onChange={(event) => onChoose(chooseAll(info, choices, event.target.checked))}
            type="checkbox"
          />
          {words.chooseAll(name)}
        </label>
      )}
      <ul className="mt-1 divide-y divide-line">
        {shown.map((session) => (
          <SessionRow
            isOn={isChosen(source, session, choices)}
            key={session.id}
            onChange={(isOn) => onChoose(new Map([...choices, [toChoiceKey(source, session.id), isOn]]))}
            session={session}
          />
        ))}
        {sentinel !== null && <li key={shown.length} ref={sentinel} />}
      </ul>
    </section>
  );
}

function SessionRow({ session, isOn, onChange }: { session: ImportableSession; isOn: boolean; onChange(isOn: boolean): void }) {
  const words = useImportText();
  const format = useFormats();
  const { title, directory, folder, state, updatedAt, bytes, taskId } = session;
  return (
    <li className="flex items-start gap-3 py-2 text-sm">
      <input
        aria-label={words.choose(title)}
        checked={isOn}
        className="mt-0.5 size-4 shrink-0 accent-accent"
        disabled={!isImportable(session)}
        onChange={(event) => onChange(event.target.checked)}
        type="checkbox"
      />
      <div className="min-w-0 flex-1">
        <p className="truncate" title={title}>
          {title}
        </p>
        <p className="flex min-w-0 gap-x-2 text-ink-faint text-xs">
          <span className="shrink-0">{format.dateTime(updatedAt)}</span>
          <span className="shrink-0 tabular-nums">{format.bytes(bytes)}</span>
          {directory === null ? <span>{words.noFolder}</span> : <PathText className="min-w-0" text={directory} />}
        </p>
        {folder !== "repository" && <p className="text-warn text-xs">{words.folders[folder]}</p>}
      </div>
      <span className="shrink-0 text-ink-soft text-xs">{words.states[state]}</span>
      {taskId !== null && (
        <Link
          aria-label={`${words.open}: ${title}`}
          className="shrink-0 text-accent text-xs hover:underline"
          params={{ taskId }}
          to="/t/$taskId"
        >
          {words.open}
        </Link>
      )}
    </li>
  );
}
