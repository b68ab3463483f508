import type { flowEn } from "./en-flow.ts";
import type { Texts } from "./texts.ts";

/** 执行结束之后可以做什么、暂停的队列和步数上限。 */
export const flowZhCN: Texts<typeof flowEn> = {
  queue: {
    paused: "队列已暂停",
    why: {
      stopped: "你停止了智能体。",
      failed: "上一次执行失败了。",
      interrupted: "上一次执行被中断了。",
      limit: "上一次执行达到了上限。",
    },
    explain: (why, then) => `${why}${then}`,
    sendsNow: "新消息会立即发送，队列保持暂停。",
    sendsLater: "新消息会排到暂停的队列末尾。",
    resume: "继续队列",
    resumeNow: (count) => `依次发送排队的 ${count} 条消息`,
    resumeLater: "当前执行成功后发送排队的消息",
    discard: "丢弃",
    discardLabel: "丢弃队列",
    discardTitle: (count) => `丢弃排队的 ${count} 条消息？`,
    discardText: (count, first) =>
      count === 1 ? `“${first}”尚未发送，丢弃后无法恢复。` : `“${first}”等 ${count} 条消息尚未发送，丢弃后无法恢复。`,
  },
  execution: {
    codes: { "step-limit": "已达到步数上限", "cost-limit": "已达到费用上限" },
    retry: "重试",
    retryHint: "重新发送同一条消息。智能体还没有开始处理它。",
    continueHint: "发送“请从停下的地方继续。”",
  },
  composer: {
    placeholderPaused: "向暂停的队列添加消息",
    hintPaused: "回车立即发送，先于暂停的队列",
    hintAdd: "回车加入暂停的队列",
    hintStop: "Esc 停止并暂停队列",
    stopTitle: (count) => `停止智能体。排队的 ${count} 条消息会等你继续。`,
  },
};
