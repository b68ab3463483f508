import type { IssueText, RepositoryText } from "@skein/contracts";
import type { TextFormats } from "@skein/engine";

const issues: TextFormats<IssueText> = {
  "value-invalid": "无效",
  "value-missing": "缺少此项",
  "value-wrong-type": ({ expected }) => `类型应为 ${expected}`,
  "value-empty": "不能为空",
  "value-too-short": ({ characters }) => `至少需要 ${characters} 个字符`,
  "value-too-long": ({ characters }) => `不能超过 ${characters} 个字符`,
  "list-too-short": ({ items }) => `至少需要 ${items} 项`,
  "list-too-long": ({ items }) => `不能超过 ${items} 项`,
  "number-too-small": ({ least }) => `不能小于 ${least}`,
  "number-too-large": ({ most }) => `不能大于 ${most}`,
  "value-not-allowed": ({ allowed }) => `只能是以下之一：${allowed.join("、")}`,
  "unknown-keys": ({ keys }) => `含有未知字段：${keys.join("、")}`,
  "value-wrong-format": ({ format }) => `格式不正确（应为 ${format}）`,
  "server-name-invalid": "只能包含字母、数字、空格、点、连字符和下划线，最多 64 个字符",
  "key-invalid": "只能包含字母、数字和符号，不能有空格",
  "path-outside-repository": "必须位于仓库之内",
  "endpoint-name-invalid": "名称只能包含字母、数字、点、连字符和下划线",
  "variable-name-invalid": "不是有效的变量名",
  "command-missing": '需要一条命令，例如 ["my-agent", "--acp"]',
  "native-agent-elsewhere": "应在“native”中配置",
};

export const repositoryTextsZhCN: TextFormats<RepositoryText> = {
  ...issues,

  "loading-folder-missing": "目录不存在。",
  "loaded-files-too-many": ({ max }) => `它引用或加载的仓库文件超过 ${max} 个。`,
  "loaded-file-unreadable": ({ path }) => `${path} 无法读取，或文件过大。`,

  "mcp-servers-not-an-object": "mcpServers 不是对象。",
  "mcp-servers-too-many": ({ count, max }) => `共有 ${count} 个 MCP 服务器，只使用前 ${max} 个。`,
  "mcp-server-unusable": ({ server, field, reason }, format) =>
    `无法使用 MCP 服务器 ${JSON.stringify(server)}：${field === "" ? "" : `${field} `}${format(reason)}。`,
  "mcp-transport-outdated": "传输方式“sse”已过时，请改用“http”",
  "mcp-type-unknown": ({ type }) => `类型 ${JSON.stringify(type)} 既不是“stdio”也不是“http”`,
  "mcp-variables-missing": ({ server, variables }) =>
    `MCP 服务器“${server}”需要的变量不对它开放：${variables.join("、")}。请将该服务器写入你自己的 config.json 并在其中赋值。`,
  "mcp-url-invalid": ({ server }) => `MCP 服务器“${server}”的 url 不是网址，必须以 http:// 或 https:// 开头。`,

  "file-is-link": "它是链接",
  "file-unreadable": ({ error }) => `无法读取（${error}）`,
  "file-not-regular": "它不是普通文件",
  "file-too-large": ({ maxBytes }) => `文件超过 ${maxBytes} 字节`,
  "file-missing": "文件已不存在",
  "file-not-json": "内容不是有效的 JSON",
  "file-without-servers": "其中没有 mcpServers",
  "field-invalid": ({ field, issue }, format) => `${field === "" ? "内容" : `${field} `}${format(issue)}`,

  "repository-file-unusable": ({ path, reason }, format) => `无法使用 ${path}：${format(reason)}。`,
  "in-repository-file": ({ path, problem }, format) => `${path}：${format(problem)}`,
  "scripts-untrustable": ({ reason }, format) => `无法信任这些脚本：${format(reason)}`,
  "mcp-server-untrustable": ({ server, reason }, format) =>
    `无法信任 MCP 服务器“${server}”：${format(reason)}如需使用，请写入你自己的 config.json。`,
  "settings-untrustable": ({ reason }, format) => `无法信任这些设置：${format(reason)}`,
  "settings-link": ({ path }) => `${path} 是链接，其指向的内容无法信任。`,
  "settings-too-many": ({ max }) => `文件超过 ${max} 个。`,
  "settings-file-untrustable": ({ path, reason }, format) => `无法信任 ${path}：${format(reason)}。`,
  "hooks-untrustable": ({ reason }, format) => `无法信任这些钩子：${format(reason)}`,
  "hook-untrustable": ({ hook, reason }, format) => `无法信任 ${hook} 钩子：${format(reason)}。`,
  "git-settings-included": "仓库的 git 设置引用了其他文件，因此无法信任其钩子。",
  "trust-unreadable": ({ path }) => `无法读取 ${path}，其中列出的内容均不受信任。请删除该文件，然后重新信任。`,
  "lfs-server-missing": "仓库没有远程地址，因此没有 Git LFS 服务器。",
  "lfs-protocol-unsupported": "Skein 只通过 https、http 和 ssh 下载 Git LFS 文件。",
  "copy-too-much": ({ pattern }) => `“${pattern}”匹配的文件过多或过大，部分文件未复制。`,
  "copy-outside": ({ path }) => `“${path}”指向仓库之外，未复制。`,
};
