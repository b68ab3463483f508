import type { AttemptId, TerminalExit, TerminalId } from "@skein/contracts";
import { removeTerminalAnswers } from "@skein/engine";
import { useEffect, useRef } from "react";
import { openXterm } from "./open-xterm.ts";
import { openTerminalStream } from "./terminal-stream.ts";

export interface ScreenViewProps {
  attemptId: AttemptId;
  id: TerminalId;
  label: string;
  /** Output only. */
  isLog?: boolean;
  /** Describes how to leave it by keyboard. */
  describedBy?: string;
  onConnected(isConnected: boolean): void;
  onExit(exit: TerminalExit | null): void;
  /** The key that leaves the terminal. */
  onLeave?(): void;
}

const leaves = (event: KeyboardEvent) => event.key === "F6" && event.ctrlKey;

/** One terminal, drawn and connected as long as it is mounted and the tab is visible. */
export function ScreenView({ attemptId, id, label, isLog = false, describedBy, ...handlers }: ScreenViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const screen = openXterm(element, { label, isLog });
    const { terminal } = screen;
    if (describedBy !== undefined) terminal.textarea?.setAttribute("aria-describedby", describedBy);
    let isReplaying = false;
    const stream = openTerminalStream(attemptId, id, {
      onOutput: (bytes, isReplay) =>
        new Promise((resolve) => {
          isReplaying = isReplay;
          terminal.write(bytes, () => {
            isReplaying = false;
            resolve();
          });
        }),
      onConnected: (isConnected) => latest.current.onConnected(isConnected),
      onExit: (exit) => latest.current.onExit(exit),
    });
    const fit = () => {
      if (element.clientWidth > 0 && element.clientHeight > 0) screen.fit();
    };
    fit();
    const sizes = new ResizeObserver(fit);
    sizes.observe(element);
    if (!isLog) {
      const send = () => stream.resize({ columns: terminal.cols, rows: terminal.rows });
      send();
      terminal.onResize(send);
      terminal.onData((data) => {
        const keys = isReplaying ? removeTerminalAnswers(data) : data;
        if (keys !== "") stream.type(keys);
      });
      terminal.attachCustomKeyEventHandler((event) => {
        if (leaves(event)) {
          if (event.type === "keydown") latest.current.onLeave?.();
          event.preventDefault();
          return false;
        }
        if (!event.ctrlKey || event.shiftKey || event.altKey) return true;
        if (event.key === "c" && terminal.hasSelection()) {
          if (event.type === "keydown") void navigator.clipboard?.writeText(terminal.getSelection()).then(() => terminal.clearSelection());
          return false;
        }
        // the browser pastes
        return event.key !== "v";
      });
      // who moves through tabs by keyboard stays there
      if (!document.activeElement?.matches("[role=tab]:focus-visible")) terminal.focus();
    }
    return () => {
      sizes.disconnect();
      stream.close();
      screen.dispose();
    };
  }, [attemptId, id, label, isLog, describedBy]);
  return <div className="h-full min-h-0 overflow-hidden" data-terminal={id} ref={place} />;
}
