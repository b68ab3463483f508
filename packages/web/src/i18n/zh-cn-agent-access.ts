import type { AgentAccessText } from "./en-agent-access.ts";

export const agentAccessZhCN: AgentAccessText = {
  about: "智能体可以把 Skein 当作 MCP 服务器使用：启动由其他智能体完成的任务、等待它们结束、读取对话和改动。智能体永远不能批准自己的请求。",
  connect: "连接 Skein 之外的智能体",
  connectText:
    "为你的智能体运行一次对应的命令。它会启动 skein mcp，在本服务器运行期间使用它；skein mcp 使用自己的令牌，退出时该令牌随即失效。",
  openConfig: (file) => `将以下内容加入 ${file}：`,
  http: "无法启动命令的程序可以使用下面的地址，并将下方创建的令牌放入请求头 Authorization: Bearer。",
  skill: "技能（skill）告诉智能体何时以及如何使用 Skein。以下命令会为当前用户的智能体安装它：",
  inside: "Skein 中的智能体",
  insideText:
    "在已开启的项目中，智能体会获得一个只适用于本次执行和所在项目的令牌。它启动的智能体无需批准即可执行的操作不会超过它自己。从下一条消息起生效。",
  noProjects: "还没有项目。",
  limits: "Skein 中智能体的上限",
  unlimited: "不限",
  depth: "层级",
  depthEffect: "1 表示智能体可以启动其他智能体，但后者不能再启动。",
  starts: "执行次数",
  startsEffect: "在你的一条消息之下最多可以启动多少次执行。",
  cost: "费用（美元）",
  costEffect: "在你的一条消息之下，上报的费用达到此数额后不再启动新的执行。",
};
