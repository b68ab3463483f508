import type { RewindText } from "./en-rewind.ts";

export const rewindZhCN: RewindText = {
  nothing: "还没有结束的执行，无法回退。",
  restored: (count) => `已恢复 ${count} 个文件`,
  same: "文件与那时相同",
  forked: (number) => `已分叉为尝试 ${number}`,
  resendTitle: "编辑并重新发送",
  resendWhat: (number) => `新建一次尝试，从这条消息之前的文件和对话开始。尝试 ${number} 保持不变。`,
  message: "要发送的消息",
  resend: "在新尝试中发送",
};
