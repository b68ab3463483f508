import type { ImagePart, MergeMode, TaskId } from "@skein/contracts";
import { type RefObject, useCallback, useState } from "react";
import { ConversationList } from "../conversation/conversation-list.tsx";
import { ConversationPlaceProvider } from "../conversation/conversation-place.tsx";
import { FindBar } from "../conversation/find-bar.tsx";
import type { ConversationListHandle } from "../conversation/use-jump.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { RewindHost } from "./rewind-host.tsx";

export interface ConversationMessagesProps {
  taskId: TaskId;
  conversation: TaskConversation;
  canUndoCompression: boolean;
  mergeMode: MergeMode;
  list: RefObject<ConversationListHandle | null>;
  finding: boolean;
  onFinding(finding: boolean): void;
  /** Returns a message that was not sent to the composer. */
  onEdit(text: string, images: readonly ImagePart[]): void;
}

/** The messages of an attempt, and the bar that searches them. */
export function ConversationMessages(props: ConversationMessagesProps) {
  const { taskId, conversation, list, finding, onFinding } = props;
  const [findText, setFindText] = useState("");
  const closeFind = useCallback(() => {
    onFinding(false);
    setFindText("");
  }, [onFinding]);
  return (
    <ConversationPlaceProvider attemptId={conversation.attemptId} taskId={taskId}>
      <RewindHost conversation={conversation} taskId={taskId} />
      <div className="relative flex min-h-0 flex-1 flex-col">
        {finding && conversation.attemptId && (
          <FindBar
            attemptId={conversation.attemptId}
            newestId={conversation.messages.at(-1)?.id}
            onClose={closeFind}
            onHit={(messageId) => void list.current?.reveal(messageId)}
            onText={setFindText}
          />
        )}
        <ConversationList
          canUndoCompression={props.canUndoCompression}
          conversation={conversation}
          findText={finding ? findText : ""}
          handle={list}
          mergeMode={props.mergeMode}
          onEdit={({ commandId, text, images }) => {
            conversation.discard(commandId);
            props.onEdit(text, images);
          }}
        />
      </div>
    </ConversationPlaceProvider>
  );
}
