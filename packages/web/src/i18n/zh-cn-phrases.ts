/** 多条文本共用的片段。 */

interface Login {
  command?: string;
  enter?: string;
  variable?: string;
}

export function toLogInZhCN({ command, enter, variable }: Login = {}): string {
  if (command === undefined) return "请用它自己的程序登录，或在 config.json 中设置 API 密钥。";
  if (enter === undefined && variable === undefined) return `请运行：${command}`;
  const how = enter === undefined ? "" : `（${enter}）`;
  return `请在终端中运行 \`${command}\` 并登录${how}${variable === undefined ? "" : `，或设置 ${variable}`}。`;
}

/** `a.sh、b.sh 等 4 个`。 */
export function toNamesZhCN({ names, more }: { names: readonly string[]; more: number }): string {
  return `${names.join("、")}${more === 0 ? "" : ` 等 ${names.length + more} 个`}`;
}
