import { Component, type ReactNode } from "react";
import { useTaskText } from "../i18n/task-text.ts";
import { firstLine } from "../text/first-line.ts";
import { CopyButton } from "./copy-button.tsx";
import { Icon } from "./icon.tsx";

export interface RenderBoundaryProps {
  children: ReactNode;
  /** The content as text: its beginning is shown, all of it is copied. */
  raw(): string;
  /** Identifies the content: when it changes, drawing is tried again. */
  revision: unknown;
}

/** What cannot be drawn is shown as text, and takes nothing else of the page with it (X19). */
export class RenderBoundary extends Component<RenderBoundaryProps, { failedAt: unknown; failed: boolean }> {
  override state = { failed: false, failedAt: undefined as unknown };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.revision });
  }

  override componentDidUpdate(): void {
    const { failed, failedAt } = this.state;
    if (failed && failedAt !== undefined && failedAt !== this.props.revision) this.setState({ failed: false, failedAt: undefined });
  }

  override render(): ReactNode {
    return this.state.failed ? <NotDrawn raw={this.props.raw} /> : this.props.children;
  }
}

function NotDrawn({ raw }: { raw(): string }) {
  const text = useTaskText();
  return (
    <div className="my-1.5 flex items-start gap-2 rounded-lg border border-line px-3 py-2 text-ink-soft text-sm" data-not-drawn>
      <Icon className="mt-1 text-warn" name="warning" size={14} />
      <div className="min-w-0 flex-1">
        <p>{text.conversation.notDrawn}</p>
        <p className="mt-1 font-mono text-xs [overflow-wrap:anywhere]">{firstLine(rawOrNothing(raw), 2000)}</p>
      </div>
      <CopyButton label={text.conversation.copyRaw} text={() => rawOrNothing(raw)} />
    </div>
  );
}

function rawOrNothing(raw: () => string): string {
  try {
    return raw();
  } catch {
    return "";
  }
}
