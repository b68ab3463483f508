import type { ReactNode } from "react";
import type { ConversationRow } from "./conversation-rows.ts";
import { MessageView } from "./message-view.tsx";
import { SubagentLine } from "./subagent-line.tsx";
import { toMarkdown } from "./to-markdown.ts";
import { ToolGroup } from "./tool-group.tsx";

/** A row of what is stored: messages and tool cards. Also drawn in exported pages. */
export type StoredRow = Extract<ConversationRow, { kind: "message" | "group" | "cardless" }>;

export function StoredRowView({ row }: { row: StoredRow }) {
  return <Nested depth={row.depth}>{draw(row)}</Nested>;
}

function draw(row: StoredRow): ReactNode {
  switch (row.kind) {
    case "message":
      return <MessageView canResend={row.canResend} message={row.message} subagent={row.nested?.view} undoIn={row.undoIn} />;
    case "group":
      return <ToolGroup groupKey={row.key} messages={row.messages} />;
    case "cardless":
      return <SubagentLine rowKey={row.key} view={row.nested.view} />;
  }
}

/** What a row that cannot be drawn is shown as. */
export function toStoredText(row: StoredRow): string {
  if (row.kind === "message") return toMarkdown(row.message);
  return row.kind === "group" ? row.messages.map(toMarkdown).join("\n\n") : "";
}

/** Messages of a subagent are indented below its card, along a line. */
function Nested({ depth, children }: { depth: number; children: ReactNode }) {
  if (depth === 0) return children;
  return (
    <div className="border-line border-s ps-2" style={{ marginInlineStart: `${depth * 0.9}rem` }}>
      {children}
    </div>
  );
}
