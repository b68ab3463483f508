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
    "database-unreachable": "无法连接数据库服务器。请确认 Postgres 正在运行，并且本机可以连接到它。智能体会继续运行。",
    "database-rejected": "数据库服务器拒绝连接。请检查 SKEIN_DATABASE_URL 中的用户、密码、数据库名和 TLS 设置。",
    "database-read-only": "数据库服务器不接受写入，它可能是备用服务器。请连接主服务器，或等待故障切换完成。",
    "database-disk-full": "数据库服务器的磁盘已满。请在该服务器上释放空间。",
    "database-overloaded": "数据库服务器过载。请检查它的负载、锁和连接数上限。",
    "database-in-use": "另一个 Skein 服务器正在使用这个数据库。请停止那个服务器，或改用其他数据库。",
    "lease-lost": "使用同一数据库的其他服务器认为此服务器已失联。它会自动重新注册，请稍后再试。",
    other: "数据库出错。详情见服务器日志。",
  },
};
