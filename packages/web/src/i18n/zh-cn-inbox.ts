import type { inboxEn } from "./en-inbox.ts";
import { createPlural } from "./plural.ts";

const plural = createPlural("zh-CN");

export const inboxZhCN: typeof inboxEn = {
  empty: "没有需要你处理的事",
  emptyText: "所有项目中智能体的提问、待审阅的成果、失败的执行和未通过的检查都会出现在这里。",
  toBoard: "前往看板",
  waiting: (count) => plural(count, { other: "# 个智能体在等待你的答复" }),
  toReview: (count) => plural(count, { other: "# 项待审阅" }),
  open: "打开任务",
  asked: (when) => `${when}提出`,
  ended: {
    success: { title: "已完成", when: (when) => `${when}完成`, open: "审阅" },
    failed: { title: "失败", when: (when) => `${when}失败`, open: "打开" },
    interrupted: { title: "已中断", when: (when) => `${when}中断`, open: "打开" },
    cancelled: { title: "已停止", when: (when) => `${when}停止`, open: "打开" },
  },
  feedback: {
    count: (count) => plural(count, { other: "# 个拉取请求有反馈" }),
    label: (number) => `拉取请求 #${number} 的反馈`,
    checks: (number, names) => `#${number} 的检查未通过：${names.join("、")}`,
    changes: (number, reviewers) => `${reviewers.join("、")} 要求修改 #${number}`,
    send: "发送给智能体",
    open: "打开",
    page: (number) => `查看 #${number}`,
    sent: "已发送给智能体",
    queued: "已加入智能体的队列",
  },
  race: (passed, total) => `竞赛结束：${total} 个中 ${passed} 个通过`,
  compare: "比较",
  noChanges: "没有改动文件",
  dismiss: "移除",
  dismissed: (title) => `已移除：${title}`,
  opened: "已打开，不再列入收件箱",
  putBack: "放回",
  superseded: "此后该尝试又收到了新消息，或反馈已处理。",
  elsewhere: {
    allow: "已在另一个窗口中允许",
    "allow-always": "已在另一个窗口中设为始终允许",
    deny: "已在另一个窗口中拒绝",
    expired: "不再需要：其执行已结束",
  },
  keys: {
    label: "按键",
    move: "下一个、上一个",
    open: "打开",
    send: "发送给智能体",
    allow: "允许",
    always: "始终允许",
    deny: "拒绝",
    dismiss: "移除",
  },
  newText: "新内容",
  oldText: "原内容",
};
