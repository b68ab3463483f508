import type { ReviewText } from "./en-review.ts";

const lines = (start: number, end: number) => (start === end ? `第 ${start} 行` : `第 ${start}–${end} 行`);

export const reviewZhCN: ReviewText = {
  commentOn: (start, end, isOld) => `评论${isOld ? "修改前的" : ""}${lines(start, end)}`,
  commentOnFile: "评论此文件",
  lines: (start, end, isOld) => `${isOld ? "修改前" : ""}${lines(start, end)}`,
  wholeFile: "整个文件",
  placeholder: "这里应该怎么改？",
  keys: "Ctrl/⌘+Enter 保存。按住 Shift 点击另一行的 + 可扩大范围。",
  save: "添加评论",
  update: "保存评论",
  state: { draft: "草稿", sent: "已发送", resolved: "已解决" },
  outdated: "已过时",
  edit: "编辑",
  remove: "删除",
  resolve: "标为已解决",
  reopen: "重新打开",
  removed: "评论已删除。",
  removedSent: "评论已删除，但智能体已经收到过它。",
  comments: (count) => `${count} 条评论`,
  otherComments: "针对整个尝试，或针对已不在差异中的文件的评论",
  send: (drafts) => `发送评审（${drafts}）`,
  firstLine: "消息开头（可选）",
  sent: (drafts) => `评审已发送，共 ${drafts} 条评论。`,
  progress: (viewed, total) => `已看 ${viewed} / ${total}`,
  viewed: "已看",
  fileActions: (path) => `${path} 的操作`,
  discard: "丢弃改动",
  discarded: (path) => `已丢弃 ${path} 的改动。`,
};
