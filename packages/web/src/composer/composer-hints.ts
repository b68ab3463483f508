import type { TaskTexts } from "../i18n/task-text.ts";

export interface QueueFacts {
  length: number;
  isPaused: boolean;
}

export interface ComposerHints {
  placeholder: string;
  /** What the keys do, in one line. */
  line: string;
  /** What the send and the stop button do. */
  send: string;
  stop: string;
}

/** Explains what sending and stopping will do, given the queue. */
export function toComposerHints(
  { isExecuting, isAsked, queue }: { isExecuting: boolean; isAsked: boolean; queue: QueueFacts },
  { composer, taskPage, flow }: Pick<TaskTexts, "composer" | "taskPage" | "flow">,
): ComposerHints {
  const join = (...parts: string[]) => parts.join(" · ");
  const pauses = queue.length > 0 && !queue.isPaused;
  const stop = pauses ? flow.composer.stopTitle(queue.length) : composer.stop;
  if (!isExecuting) {
    const send = queue.isPaused ? flow.composer.hintPaused : composer.hintSend;
    const line = join(send, composer.hintNewline, taskPage.composer.hintNames);
    return { placeholder: composer.placeholder, line, send: queue.isPaused ? flow.queue.sendsNow : composer.send, stop };
  }
  const line = join(
    queue.isPaused ? flow.composer.hintAdd : composer.hintQueue,
    composer.hintSteer,
    isAsked ? composer.hintAnswer : pauses ? flow.composer.hintStop : composer.hintStop,
  );
  return queue.isPaused
    ? { placeholder: flow.composer.placeholderPaused, line, send: flow.queue.sendsLater, stop }
    : { placeholder: composer.placeholderRunning, line, send: composer.queue, stop };
}
