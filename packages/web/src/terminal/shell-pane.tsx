import type { Attempt, Terminal, TerminalId } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, Suspense, useId, useRef, useState } from "react";
import { terminalApi, terminalsQuery } from "../api/terminal-api.ts";
import { readStored, writeStored } from "../preferences/stored-value.ts";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { describeExit } from "./describe-exit.ts";
import { useWorkspaceText } from "./use-workspace-text.ts";

// the drawing of terminals is larger than all of the pane
const ScreenView = lazyComponent(() => import("./screen-view.tsx"), "ScreenView").Component;

const usualSize = { columns: 80, rows: 24 };
const storedKey = (attemptId: string) => `skein.terminal.${attemptId}`;

/** Terminals in the folder of the attempt. They keep running when the page is closed. */
export function ShellPane({ attempt }: { attempt: Attempt }) {
  const text = useWorkspaceText();
  const describe = useErrorText();
  const client = useQueryClient();
  const query = terminalsQuery(attempt.id);
  const isReadOnly = useReadOnlyPlace();
  const { data, error } = useQuery({ ...query, enabled: !isReadOnly });
  const [chosen, setChosen] = useState<string | null>(() => readStored(storedKey(attempt.id)));
  const [failure, setFailure] = useState<unknown>();
  const [isOpening, setIsOpening] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const hintId = useId();
  if (isReadOnly) return <Notice>{text.readOnly}</Notice>;
  if (error && !data) return <Notice>{describe(error)}</Notice>;
  if (!data) return null;
  const { terminals, limit } = data;
  const shown = terminals.find(({ id }) => id === chosen) ?? terminals.at(-1);

  const choose = (id: TerminalId) => {
    writeStored(storedKey(attempt.id), id);
    setChosen(id);
  };
  const act = async (action: () => Promise<void>) => {
    setFailure(undefined);
    try {
      await action();
    } catch (reason) {
      setFailure(reason);
    }
    await client.invalidateQueries({ queryKey: query.queryKey });
  };
  const open = () =>
    act(async () => {
      setIsOpening(true);
      try {
        const opened = await terminalApi.open(attempt.id, usualSize);
        client.setQueryData(query.queryKey, { limit, terminals: [...terminals, opened] });
        choose(opened.id);
      } finally {
        setIsOpening(false);
      }
    });
  const close = (id: TerminalId) => act(() => terminalApi.close(attempt.id, id));
  const restart = (id: TerminalId) =>
    act(async () => {
      await terminalApi.close(attempt.id, id);
      const opened = await terminalApi.open(attempt.id, usualSize);
      choose(opened.id);
    });
  const leave = () => bar.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = by === undefined || shown === undefined ? undefined : terminals.at((terminals.indexOf(shown) + by) % terminals.length);
    if (!next) return;
    event.preventDefault();
    choose(next.id);
  };
  const refresh = () => void client.invalidateQueries({ queryKey: query.queryKey });

  return (
    <div className="flex h-full flex-col bg-code">
      <div className="flex min-h-9 shrink-0 items-center gap-1 border-line border-b bg-canvas px-2" ref={bar}>
        <div aria-label={text.list} className="flex min-w-0 gap-0.5 overflow-x-auto" onKeyDown={onKeyDown} role="tablist">
          {terminals.map((terminal) => (
            <button
              aria-selected={terminal === shown}
              className="flex h-7 pointer-coarse:h-10 shrink-0 items-center gap-1.5 rounded-md px-2 text-ink-soft text-sm hover:bg-hover aria-selected:bg-active aria-selected:text-ink"
              key={terminal.id}
              onClick={() => choose(terminal.id)}
              role="tab"
              tabIndex={terminal === shown ? 0 : -1}
              type="button"
            >
              {text.name(terminal.number)}
              {terminal.sandboxed && <Icon name="shield" size={12} />}
              {terminal.exit !== null && <span className="text-ink-faint text-xs">{text.ended}</span>}
            </button>
          ))}
        </div>
        <IconButton disabled={isOpening || terminals.length >= limit} label={text.open} onClick={() => void open()}>
          {isOpening ? <Spinner size={13} /> : <Icon name="plus" size={14} />}
        </IconButton>
        <span className="ms-auto" />
        {shown !== undefined && (
          <IconButton label={text.close(shown.number)} onClick={() => void close(shown.id)}>
            <Icon name="trash" size={14} />
          </IconButton>
        )}
      </div>
      {failure !== undefined && (
        <div className="bg-canvas px-3 py-2">
          <ErrorText>{describe(failure)}</ErrorText>
        </div>
      )}
      {shown === undefined ? (
        <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
          <p className="max-w-96 text-ink-soft text-sm">{text.empty}</p>
          <Button disabled={isOpening} look="primary" onClick={() => void open()}>
            {isOpening && <Spinner size={13} />}
            {text.open}
          </Button>
        </div>
      ) : (
        <Shown
          attempt={attempt}
          hintId={hintId}
          key={shown.id}
          onChanged={refresh}
          onLeave={leave}
          onRestart={() => void restart(shown.id)}
          terminal={shown}
        />
      )}
    </div>
  );
}

function Shown({
  attempt,
  terminal,
  hintId,
  onLeave,
  onRestart,
  onChanged,
}: {
  attempt: Attempt;
  terminal: Terminal;
  hintId: string;
  onLeave(): void;
  onRestart(): void;
  onChanged(): void;
}) {
  const text = useWorkspaceText();
  const [isConnected, setIsConnected] = useState(true);
  return (
    <>
      <div className="min-h-0 flex-1 px-2 pt-1">
        <Suspense>
          <ScreenView
            attemptId={attempt.id}
            describedBy={hintId}
            id={terminal.id}
            label={text.name(terminal.number)}
            onConnected={setIsConnected}
            onExit={onChanged}
            onLeave={onLeave}
          />
        </Suspense>
      </div>
      <div className="flex min-h-7 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 bg-canvas px-3 py-1 text-ink-faint text-xs">
        {terminal.exit === null ? (
          <span id={hintId}>{text.leaveHint}</span>
        ) : (
          <>
            <span id={hintId}>{describeExit(terminal.exit, text)}</span>
            <Button className="h-7!" onClick={onRestart}>
              {text.restart}
            </Button>
          </>
        )}
        {terminal.sandboxed && <span>{text.sandboxed}</span>}
        <span aria-live="polite">{isConnected ? "" : text.reconnecting}</span>
      </div>
    </>
  );
}

function Notice({ children }: { children: string }) {
  return <p className="mx-auto max-w-96 px-4 py-12 text-center text-ink-soft text-sm">{children}</p>;
}
