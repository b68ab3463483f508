import type { AttemptId, TaskId } from "@skein/contracts";
import { createContext, type ReactNode, useContext, useMemo } from "react";

interface ConversationPlace {
  /** The address of a message, for others and for later. */
  linkTo(messageId: string): string;
}

const PlaceContext = createContext<ConversationPlace | null>(null);

export function ConversationPlaceProvider(props: { taskId: TaskId; attemptId: AttemptId | null; children: ReactNode }) {
  const { taskId, attemptId, children } = props;
  const place = useMemo(
    () => ({
      linkTo: (messageId: string) => `${location.origin}/t/${taskId}${attemptId ? `?attempt=${attemptId}` : ""}#${messageId}`,
    }),
    [taskId, attemptId],
  );
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** Null outside of a conversation. */
export const useConversationPlace = (): ConversationPlace | null => useContext(PlaceContext);
