import type { GitHooksText } from "./en-git-hooks.ts";

export const gitHooksZhCN: GitHooksText = {
  willRun: (names) => `将运行钩子：${names.join("、")}。`,
  willNotRun: {
    "not-trusted": "仓库中有你尚未信任的钩子，不会运行。",
    changed: "仓库的钩子在你信任之后有改动，不会运行。",
  },
  review: "查看",
  ran: { commit: "提交时运行了钩子", push: "推送时运行了钩子" },
  silent: "没有输出。",
  didNotRun: {
    "not-trusted": "没有运行仓库的钩子：你尚未信任它们。",
    changed: "没有运行仓库的钩子：它们在你信任之后有改动。",
  },
  output: "钩子的输出",
  refused: {
    commit: "请解决问题后重新提交，或让智能体解决。",
    push: "请解决问题，提交后重新推送，或让智能体解决。",
  },
  ask: "让智能体解决",
  asked: "已请智能体解决",
  queued: "智能体完成当前工作后会解决此问题",
  message: {
    commit: (hook) => `仓库的 ${hook} 钩子拒绝了提交。请解决它报告的问题。不要提交，之后由我来提交。`,
    push: (hook) => `仓库的 ${hook} 钩子拒绝了推送。请解决它报告的问题。不要提交或推送，之后由我来做。`,
  },
};
