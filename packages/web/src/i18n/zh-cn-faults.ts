import type { faultsEn } from "./en-faults.ts";

export const faultsZhCN: typeof faultsEn = {
  title: "目前无法保存任何内容。",
  meanwhile: "所有内容仍可查看。问题解决后会自动恢复保存。",
  causes: {
    "disk-full": "磁盘已满。请在数据目录所在的磁盘上腾出空间。",
    "out-of-inodes": "磁盘无法再创建文件（inode 已用尽）。请删除不需要的文件。",
    "quota-exceeded": "磁盘配额已用完。请腾出空间，或申请更大的配额。",
    "read-only": "磁盘为只读。请以可写方式挂载数据目录所在的磁盘；如果是系统自动设为只读，请先检查磁盘错误。",
    "no-permission": "Skein 没有写入数据目录的权限。请将该目录的所有者改为运行 Skein 的用户。",
    "too-many-open-files": "打开的文件过多。请停止不需要的智能体，或提高上限（ulimit -n）后重新启动 Skein。",
    busy: "数据库被其他程序锁定。请关闭正在使用它的程序。",
    damaged: "数据库已损坏。请停止服务器并恢复备份（skein restore）。智能体会继续运行。",
    "database-missing": "数据库被删除、移走或替换。请停止服务器并运行 skein restore，它会列出现有的副本。智能体会继续运行。",
    "input-output": "磁盘读写失败。请检查数据目录所在的磁盘。",
    other: "数据库出错。详情见服务器日志。",
  },
};
