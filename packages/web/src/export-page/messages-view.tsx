import type { AttemptId, StoredMessage } from "@skein/contracts";
import { useMemo, useRef } from "react";
import { toContextRows } from "../context/context-rows.ts";
import { MessageRow } from "../context/message-row.tsx";
import { useContextText } from "../context/use-context-text.ts";
import { toHistory } from "./to-history.ts";
import { type RowsHandle, VirtualRows } from "./virtual-rows.tsx";

/** The protocol messages, as the Context pane shows them. */
export function MessagesView({ attemptId, messages }: { attemptId: AttemptId; messages: readonly StoredMessage[] }) {
  const text = useContextText();
  const list = useRef<RowsHandle>(null);
  const rows = useMemo(() => toContextRows(toHistory(messages), { showsReplaced: true }), [messages]);
  return (
    <VirtualRows
      count={rows.length}
      current={null}
      draw={(index) => {
        const row = rows[index];
        return row?.kind === "message" ? <MessageRow attemptId={attemptId} row={row} /> : null;
      }}
      findText=""
      handle={list}
      heightOf={() => 40}
      keyOf={(index) => rows[index]?.key ?? String(index)}
      label={text.list}
    />
  );
}
