import type { ConversationMessage, Execution } from "@skein/contracts";
import { useEffect, useMemo, useRef, useState } from "react";
import { type ConversationRow, estimateRowHeight, toConversationRows } from "../conversation/conversation-rows.ts";
import { ExecutionLine } from "../conversation/execution-line.tsx";
import { parentKeys, toConversationTree } from "../conversation/nesting.ts";
import { StoredRowView, toStoredText } from "../conversation/stored-row-view.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { useDisclosedKeys } from "../ui/disclosure.tsx";
import { RenderBoundary } from "../ui/render-boundary.tsx";
import { FindField } from "./find-field.tsx";
import { findRows } from "./find-rows.ts";
import { type RowsHandle, VirtualRows } from "./virtual-rows.tsx";

/** The conversation with the cards of the app, by the app's own code. */
export function ConversationView({
  conversation,
  executions,
}: {
  conversation: readonly ConversationMessage[];
  executions: readonly Execution[];
}) {
  const text = useTaskText();
  const list = useRef<RowsHandle>(null);
  const [wanted, setWanted] = useState("");
  const [place, setPlace] = useState(0);
  const nodes = useMemo(() => toConversationTree([...conversation]), [conversation]);
  const open = useDisclosedKeys(useMemo(() => parentKeys(nodes), [nodes]));
  const rows = useMemo(
    () => toConversationRows({ nodes, open, approvals: [], outgoing: [], running: null, executions, undo: null }),
    [nodes, open, executions],
  );
  const hits = useMemo(() => findRows(rows, wanted), [rows, wanted]);
  const current = hits.length === 0 ? null : (hits[place % hits.length] ?? null);
  useEffect(() => {
    if (current !== null) list.current?.reveal(current);
  }, [current]);
  return (
    <div className="flex h-full flex-col">
      <FindField
        count={hits.length}
        onChange={(next) => {
          setWanted(next);
          setPlace(0);
        }}
        onStep={(step) => setPlace((now) => (now + step + hits.length) % Math.max(1, hits.length))}
        place={hits.length === 0 ? 0 : (place % hits.length) + 1}
        text={wanted}
      />
      <div className="min-h-0 flex-1">
        <VirtualRows
          count={rows.length}
          current={current}
          draw={(index) => <Row row={rows[index]} />}
          findText={wanted.trim()}
          handle={list}
          heightOf={(index) => estimateRowHeight(rows[index])}
          keyOf={(index) => rows[index]?.key ?? String(index)}
          label={text.conversation.label}
        />
      </div>
    </div>
  );
}

function Row({ row }: { row: ConversationRow | undefined }) {
  switch (row?.kind) {
    case "message":
    case "group":
    case "cardless":
      return (
        <RenderBoundary raw={() => toStoredText(row)} revision={row.key}>
          <StoredRowView row={row} />
        </RenderBoundary>
      );
    case "execution-end":
      return <ExecutionLine execution={row.execution} />;
    default:
      return null;
  }
}
