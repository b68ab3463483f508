import type { ConversationMessage, ToolSummary } from "@skein/contracts";
import { toToolSummary } from "../tools/tool-summary.ts";
import { isMarked } from "./message-marks.ts";

/** A message and those inside it; only the card of a subagent has children. */
export interface MessageNode {
  kind: "message";
  message: ConversationMessage;
  children: ConversationNode[];
}

/** Messages of a subagent without a card: it is on an earlier page, or not shown while it runs (merge mode `on-complete`). */
export interface CardlessNode {
  kind: "cardless";
  toolUseId: string;
  children: ConversationNode[];
}

export type ConversationNode = MessageNode | CardlessNode;

/**
 * Messages as a tree: messages of a subagent are inside its card, however many subagents work at the same time. An id that
 * is used again in a later execution belongs to the newest card before it.
 */
export function toConversationTree(messages: readonly ConversationMessage[]): ConversationNode[] {
  const roots: ConversationNode[] = [];
  const parents = new Map<string, ConversationNode>();
  for (const message of messages) {
    const node: MessageNode = { kind: "message", message, children: [] };
    const parent = parentOf(message);
    if (parent === undefined) roots.push(node);
    else {
      const known = parents.get(parent) ?? { kind: "cardless", toolUseId: parent, children: [] };
      if (!parents.has(parent)) roots.push(known);
      parents.set(parent, known);
      known.children.push(node);
    }
    const opened = cardOf(message);
    if (opened !== undefined) parents.set(opened, node);
  }
  return roots;
}

function cardOf(message: ConversationMessage): string | undefined {
  return message.messageType === "tool_execution" || message.messageType === "tool_use" ? message.metadata.toolUseId : undefined;
}

function parentOf(message: ConversationMessage): string | undefined {
  switch (message.messageType) {
    case "text":
    case "thinking":
    case "tool_execution":
    case "tool_use":
    case "tool_result":
      return message.metadata?.parentToolUseId;
    default:
      return undefined;
  }
}

/** What opens and closes a node. */
export function keyOf(node: ConversationNode): string {
  return node.kind === "message" ? node.message.id : `subagent:${node.toolUseId}`;
}

/** The keys of all nodes that have something inside. */
export function parentKeys(nodes: readonly ConversationNode[]): string[] {
  return nodes.flatMap((node) => (node.children.length === 0 ? [] : [keyOf(node), ...parentKeys(node.children)]));
}

/** Every message in a node, its own first. */
export function messagesIn(node: ConversationNode): ConversationMessage[] {
  return [...(node.kind === "message" ? [node.message] : []), ...node.children.flatMap(messagesIn)];
}

/** What the line of a subagent shows of its work. */
export interface SubagentView {
  /** Tools that it ran, those of its own subagents included. */
  tools: number;
  failed: number;
  /** The newest tool that runs; null when none does. */
  running: ToolSummary | null;
}

export function toSubagentView(children: readonly ConversationNode[]): SubagentView {
  const view: SubagentView = { tools: 0, failed: 0, running: null };
  for (const message of children.flatMap(messagesIn)) {
    if (message.messageType === "tool_execution" || message.messageType === "tool_use") view.tools++;
    if (isMarked(message, "error")) view.failed++;
    if (message.messageType === "tool_execution" && message.metadata.state === "running") view.running = toToolSummary(message);
  }
  return view;
}
