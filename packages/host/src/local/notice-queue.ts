import type { AgentNotice } from "../port/executions.ts";

/** Notices for one reader, in order. */
export interface NoticeQueue {
  readonly notices: AsyncIterableIterator<AgentNotice>;
  /** Ignored after the end. A notice that the reader has not taken yet is not repeated. */
  push(notice: AgentNotice): void;
  /** The reader gets what was pushed before, then the end; with `failure`, a rejection. */
  end(failure?: { error: unknown }): void;
}

/** `onReturn`: the reader wants no more. */
export function createNoticeQueue(onReturn: () => void): NoticeQueue {
  const untaken: AgentNotice[] = [];
  let ended: { failure?: { error: unknown } } | undefined;
  let wake = () => {};

  async function next(): Promise<IteratorResult<AgentNotice, undefined>> {
    for (;;) {
      const value = untaken.shift();
      if (value !== undefined) return { done: false, value };
      if (ended?.failure !== undefined) throw ended.failure.error;
      if (ended !== undefined) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  function end(failure?: { error: unknown }): void {
    ended ??= failure === undefined ? {} : { failure };
    wake();
  }

  return {
    notices: {
      [Symbol.asyncIterator]() {
        return this;
      },
      next,
      async return() {
        untaken.length = 0;
        end();
        onReturn();
        return { done: true, value: undefined };
      },
    },
    push(notice) {
      if (ended !== undefined || untaken.at(-1)?.type === notice.type) return;
      untaken.push(notice);
      wake();
    },
    end,
  };
}
