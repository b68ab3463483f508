import type { BudgetMeasure, BudgetScope, LimitedResource, ProviderLimit } from "@skein/contracts";

/** What a budget belongs to. */
export const budgetScopesZhCN: Readonly<Record<BudgetScope, string>> = {
  execution: "本次执行",
  task: "此任务",
  project: "此项目",
  projectDay: "此项目当天",
  day: "当天",
};

let numbers: Intl.NumberFormat | undefined;

/** Made when it is needed: not with the texts of every page. */
function formatNumber(value: number): string {
  numbers ??= new Intl.NumberFormat("zh-CN", { maximumFractionDigits: 1 });
  return numbers.format(value);
}

export function toAmountZhCN(measure: BudgetMeasure, value: number): string {
  switch (measure) {
    case "costUsd":
      return `$${value.toFixed(2)}`;
    case "tokens":
      return `${formatNumber(value)} 个 token`;
    case "minutes":
      return `${formatNumber(value)} 分钟`;
  }
}

export function toResourceZhCN(resource: LimitedResource, value: number): string {
  if (resource === "processes") return `${formatNumber(value)} 个进程和线程`;
  const gigabytes = value / 1024 ** 3;
  return gigabytes < 1 ? `${formatNumber(Math.round(value / 1024 ** 2))} MB 内存` : `${formatNumber(gigabytes)} GB 内存`;
}

export function limitReachedZhCN(agent: string, code: ProviderLimit["code"]): string {
  switch (code) {
    case "plan-limit":
      return `${agent} 的套餐用量已用完。`;
    case "daily-quota":
      return `${agent} 今天的请求次数已用完。`;
    case "rate-limit":
      return `模型服务商限制了 ${agent} 的请求频率。`;
    case "overloaded":
      return `${agent} 的模型服务商过载。`;
  }
}

export function toResetZhCN(resetsAt: number | null): string {
  return resetsAt === null ? "未说明何时恢复。" : `将于 ${new Date(resetsAt).toLocaleString("zh-CN")} 恢复。`;
}
