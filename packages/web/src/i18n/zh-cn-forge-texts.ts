import type { ForgeText } from "@skein/contracts";
import type { TextFormats } from "@skein/engine";

export const forgeTextsZhCN: TextFormats<ForgeText> = {
  "forge-unreachable": ({ host }) => `无法连接 ${host}。请检查网络后重试。`,
  "forge-unauthorized": ({ host }) => `${host} 拒绝了令牌：令牌已过期或被撤销。请用它的命令行工具重新登录，或在设置中填写新的令牌。`,
  "forge-forbidden": ({ host, said }) => `${host} 不允许此操作（${said}）。请检查令牌的权限。`,
  "forge-not-found": ({ host, repository }) => `在 ${host} 上找不到 ${repository}，或令牌无权访问。请检查远程地址和令牌。`,
  "forge-rate-limited": ({ host, until }) => `${host} 在 ${new Date(until).toLocaleTimeString("zh-CN")} 之前不再接受请求。请稍后重试。`,
  "forge-rejected": ({ host, said }) => `${host} 拒绝了请求：${said}`,
  "forge-no-commits": ({ base }) => `分支没有 ${base} 之外的提交。请先提交改动。`,
  "forge-no-base": ({ host, base }) => `${host} 上没有分支 ${base}。请先推送它，或选择其他基准分支。`,
  "forge-error": ({ host, reason }) => `${host} 出错（${reason}）。没有丢失任何内容，请稍后重试。`,
  "forge-insecure": ({ host }) => `与 ${host} 的连接未加密，因此不会发送令牌。请使用 https 地址。`,
  "no-forge-credential": ({ host, variable }) => `没有 ${host} 的令牌。请用它的命令行工具登录、设置 ${variable}，或在设置中添加令牌。`,
  "no-pull-request": "这次尝试没有拉取请求。",
  "pull-request-closed": "拉取请求已关闭。如需继续，请创建新的拉取请求。",
  "no-feedback": "没有可发送的失败检查或评论。",
  "unknown-forge": ({ host }) => `Skein 不知道 ${host} 运行的是哪种代码托管平台。请在设置中为它添加令牌并选择类型。`,
};
