import type { AgentInfo, Attempt, ImagePart, Task } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import type { RefObject } from "react";
import { api } from "../api/api.ts";
import { attemptsQuery } from "../api/queries.ts";
import type { ComposerHandle } from "../composer/use-composer.ts";
import type { SendOptions } from "../conversation/conversation-session.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { useStart } from "../start/use-start.ts";
import type { StartSettings } from "../start/use-start-choice.ts";
import { addAttempt } from "./add-attempt.ts";
import { toContinuation } from "./conversation-stage.ts";

export interface SendMessageOptions {
  task: Task;
  attempt: Attempt | undefined;
  conversation: TaskConversation;
  composer: RefObject<ComposerHandle | null>;
  /** What a first attempt is started with. */
  settings: StartSettings;
}

/** The first message of a task starts an attempt; the others go to the conversation. */
export function useSendMessage({ task, attempt, conversation, composer, settings }: SendMessageOptions) {
  const client = useQueryClient();
  const start = useStart();
  const addCreated = (created: Attempt) => void client.setQueryData(attemptsQuery(task.id).queryKey, (known) => addAttempt(known, created));

  const send = async (message: string, images: readonly ImagePart[], options: SendOptions): Promise<void> => {
    if (!attempt) {
      const started = await start({ task: { id: task.id }, attempt: await settings.toAttempt(), message, images: [...images] });
      settings.remember({ started: true });
      return addCreated(started.attempt);
    }
    // Not awaited: a failure is shown in the conversation, with a way to retry, and the composer is free for the next message.
    // What the server cannot store goes back to the composer instead: a retry is of no use until that is fixed.
    conversation
      .sendMessage(message, images, { ...options, takesBackUnstored: true })
      .catch((error: unknown) => composer.current?.giveBack(message, images, error));
  };

  const continueWith = async (agent: AgentInfo): Promise<void> => {
    if (attempt) addCreated(await api.createAttempt(task.id, toContinuation(attempt, agent)));
  };
  return { send, continueWith };
}
