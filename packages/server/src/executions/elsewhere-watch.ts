import { createHash } from "node:crypto";
import {
  type AgentOutput,
  type ChangedElsewhere,
  type ConversationMessage,
  type MessageId,
  messageIdSchema,
  type NoticeText,
  type ToolExecutionMessage,
} from "@skein/contracts";
import type { Workspaces } from "@skein/host";
import type { ForeignFolders } from "./foreign-folders.ts";

/** Tolerance: an agent reports a command after starting it, and file systems round times. */
const slackMs = 1000;
const maxRemembered = 1000;

type Notice = Extract<AgentOutput, { type: "notice" }>;

/** Reports changes that an agent makes in foreign folders (E11). */
export interface ElsewhereWatch {
  see(messages: readonly ConversationMessage[]): void;
  /** Resolves when everything observed so far has been checked. */
  settled(): Promise<void>;
}

/**
 * An edit names its file. A command does not: if it names a foreign file or folder, and something there changed while it ran, that is
 * reported as possible.
 */
export function createElsewhereWatch(input: {
  workspaces: Pick<Workspaces, "findRecentChanges">;
  folders: ForeignFolders;
  report(notice: Notice): void;
}): ElsewhereWatch {
  const { workspaces, folders, report } = input;
  const known = new Set<string>();
  const looking = new Set<Promise<void>>();

  function seeCard(card: ToolExecutionMessage): void {
    const { metadata, id, timestamp } = card;
    if (metadata.state === "running" || metadata.state === "denied" || known.has(id)) return;
    if (known.size >= maxRemembered) known.clear();
    known.add(id);
    const at = timestamp + metadata.durationMs;
    const changed = metadata.changedElsewhere ?? [];
    if (changed.length > 0 && !metadata.isError) reportAll(card, { changed, at, isCertain: true });
    else if (metadata.details?.type === "commandOutput") look(card, folders.findNamed(metadata.details.data.command), at);
  }

  function reportAll(card: ToolExecutionMessage, { changed, ...about }: Changes): void {
    for (const owner of new Set(changed.map((one) => one.owner))) {
      report(toNotice(card, owner, { changed: changed.filter((one) => one.owner === owner), ...about }));
    }
  }

  function look(card: ToolExecutionMessage, named: readonly ChangedElsewhere[], at: number): void {
    if (named.length === 0) return;
    const looked = (async () => {
      const between = { from: card.timestamp - slackMs, to: at + slackMs };
      const found = await Promise.all(named.map(({ filePath }) => workspaces.findRecentChanges({ path: filePath, ...between })));
      const changed = [...new Set(found.flat())].flatMap((path) => folders.find(path) ?? []);
      reportAll(card, { changed, at, isCertain: false });
    })();
    looking.add(looked);
    void looked.finally(() => looking.delete(looked));
  }

  return {
    see(messages) {
      for (const message of messages) if (message.messageType === "tool_execution") seeCard(message);
    },
    settled: async () => void (await Promise.allSettled(looking)),
  };
}

interface Changes {
  changed: readonly ChangedElsewhere[];
  at: number;
  /** False: they changed during a command that names them. */
  isCertain: boolean;
}

function toNotice(card: ToolExecutionMessage, owner: ChangedElsewhere["owner"], { changed, at, isCertain }: Changes): Notice {
  const text: NoticeText = { code: "changed-elsewhere", owner, files: changed.map(({ filePath }) => filePath), isCertain };
  return { type: "notice", messageId: toMessageId(card, owner), text, code: "changed-elsewhere", at };
}

/** Deterministic per card, because a log is read again after a crash. */
function toMessageId({ id, metadata }: ToolExecutionMessage, owner: string): MessageId {
  const hash = createHash("sha256").update(`${owner} ${id}`).digest("hex").slice(0, 24);
  return messageIdSchema.parse(`msg_${(metadata.executionId ?? "").slice("exe_".length)}_elsewhere_${hash}`);
}
