import type { ServerSentences } from "./en-server-sentences.ts";

export const serverSentencesZhCN: ServerSentences = {
  danger: {
    otherUser: "它以其他用户的权限运行，不受 Skein 的任何限制。",
    deletes: "它会删除整个目录及其中的所有内容，且无法撤销。",
    deletesFound: "它会删除找到的所有文件，且无法撤销。",
    fromNetwork: "它会直接运行来自网络的程序。",
    overwritesRemote: "它会覆盖或删除远程仓库中他人可能已经获取的内容。",
    discards: "它会丢弃尚未提交的改动。",
    overwritesDisk: "它会逐字节覆写文件或磁盘。",
    fileSystem: "它会创建或更改文件系统，磁盘上原有的内容将丢失。",
    rights: "它会更改目录下所有内容的权限或所有者。",
    turnsOff: "它会关闭这台机器。",
    device: "它会直接写入设备。",
    unchecked: "它过长或嵌套过深，无法检查。",
    copiesItself: "它会无休止地复制自身。",
  },
  protection: {
    git: "{} 属于 git 本身：写入其中的内容可能让 git 运行程序。",
    agentSettings: "{} 是编程智能体的设置：写入其中的内容可能让它运行程序。",
    editor: "{} 会被编辑器、shell 或 git 读取：写入其中的内容可能让它们运行程序。",
    packages: "{} 属于已安装的软件包：写入其中的内容会随使用它的每个程序一起运行。",
  },
  agents: {
    notInstalled: "{} 尚未安装。请运行：{}",
    noProgram: "{}：设置中的命令“{}”不是可以运行的程序，请在设置中更正。",
    doesNotStart: "{} 无法启动：{}。请重新安装：{}",
    tooOld: "{} 版本过旧：Skein 需要 {} 或更高版本。请运行：{}",
    noModel: "尚未配置模型。",
    noKey: "请在设置中添加密钥，或在启动 Skein 前设置 {}。",
  },
  notices: {
    stopped: "已停止。",
    serverEdited: "MCP 服务器“{}”未启动：它运行的文件与你信任时不同（{}）。智能体将在没有它的情况下继续。请在项目设置中查看改动。",
    serversNotTrusted: "此项目中未获信任的 MCP 服务器未启动：{}。",
    scriptEdited: "{} 脚本未运行：它运行的文件与你信任时不同：{}。请在项目设置中查看。",
    settingsNotTrusted: "此仓库包含你尚未信任的智能体设置（{}），智能体启动时未使用它们。请在项目设置中查看。",
    settingsEdited: "此仓库的智能体设置与你信任时不同（{}），智能体启动时未使用它们。请在项目设置中查看。",
    scriptsNotTrusted: "此仓库包含你尚未信任的内容（{}），因此未使用。请在项目设置中查看；信任后从下一条消息起生效。",
    scriptsChanged: "此仓库的内容（{}）在你信任之后有改动，因此未使用。请在项目设置中查看；信任后从下一条消息起生效。",
  },
};
