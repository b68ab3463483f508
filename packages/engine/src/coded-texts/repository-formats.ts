import type { IssueText, RepositoryText } from "@skein/contracts";
import { toCount } from "./phrases.ts";
import type { TextFormats } from "./text-formats.ts";

const issueFormats: TextFormats<IssueText> = {
  "value-invalid": "is not valid",
  "value-missing": "is missing",
  "value-wrong-type": ({ expected }) => `must be of type ${expected}`,
  "value-empty": "must not be empty",
  "value-too-short": ({ characters }) => `must have at least ${toCount(characters, "character")}`,
  "value-too-long": ({ characters }) => `must have at most ${toCount(characters, "character")}`,
  "list-too-short": ({ items }) => `must have at least ${toCount(items, "item")}`,
  "list-too-long": ({ items }) => `must have at most ${toCount(items, "item")}`,
  "number-too-small": ({ least }) => `must be at least ${least}`,
  "number-too-large": ({ most }) => `must be at most ${most}`,
  "value-not-allowed": ({ allowed }) => `must be one of: ${allowed.join(", ")}`,
  "unknown-keys": ({ keys }) => `has unknown fields: ${keys.join(", ")}`,
  "value-wrong-format": ({ format }) => `has the wrong format (expected: ${format})`,
  "server-name-invalid": "must be at most 64 letters, digits, spaces, dots, dashes and underscores",
  "key-invalid": "must be letters, digits and symbols without spaces",
  "path-outside-repository": "must stay inside the repository",
  "endpoint-name-invalid": "must be a name of letters, digits, dots, dashes and underscores",
  "variable-name-invalid": "is not the name of a variable",
  "command-missing": 'needs a command, such as ["my-agent", "--acp"]',
  "native-agent-elsewhere": "is configured under “native”",
};

/** English formats of problems in repositories. */
export const repositoryFormats: TextFormats<RepositoryText> = {
  ...issueFormats,

  "loading-folder-missing": "The folder does not exist.",
  "loaded-files-too-many": ({ max }) => `It names or loads more than ${max} files of the repository.`,
  "loaded-file-unreadable": ({ path }) => `${path} cannot be read, or is too large.`,

  "mcp-servers-not-an-object": "mcpServers is not an object.",
  "mcp-servers-too-many": ({ count, max }) => `It has ${count} MCP servers; only the first ${max} are used.`,
  "mcp-server-unusable": ({ server, field, reason }, format) =>
    `The MCP server ${JSON.stringify(server)} cannot be used: ${field === "" ? "" : `${field} `}${format(reason)}.`,
  "mcp-transport-outdated": 'the transport "sse" is outdated. Use "http" instead',
  "mcp-type-unknown": ({ type }) => `its type ${JSON.stringify(type)} is neither "stdio" nor "http"`,
  "mcp-variables-missing": ({ server, variables }) =>
    `The MCP server “${server}” needs variables that it cannot have: ${variables.join(", ")}. Put the server into your own config.json to give it values.`,
  "mcp-url-invalid": ({ server }) => `The MCP server “${server}” has no web address: its url must begin with http:// or https://.`,

  "file-is-link": "it is a link",
  "file-unreadable": ({ error }) => `it cannot be read (${error})`,
  "file-not-regular": "it is not a regular file",
  "file-too-large": ({ maxBytes }) => `it is larger than ${maxBytes} bytes`,
  "file-missing": "it no longer exists",
  "file-not-json": "it is not valid JSON",
  "file-without-servers": "it has no mcpServers",
  "field-invalid": ({ field, issue }, format) => `${field === "" ? "it" : field} ${format(issue)}`,

  "repository-file-unusable": ({ path, reason }, format) => `${path} cannot be used: ${format(reason)}.`,
  "in-repository-file": ({ path, problem }, format) => `${path}: ${format(problem)}`,
  "scripts-untrustable": ({ reason }, format) => `The scripts cannot be trusted: ${format(reason)}`,
  "mcp-server-untrustable": ({ server, reason }, format) =>
    `The MCP server “${server}” cannot be trusted: ${format(reason)} Put it into your own config.json to use it.`,
  "settings-untrustable": ({ reason }, format) => `The settings cannot be trusted: ${format(reason)}`,
  "settings-link": ({ path }) => `${path} is a link, and what it leads to cannot be trusted.`,
  "settings-too-many": ({ max }) => `There are more than ${max} files.`,
  "settings-file-untrustable": ({ path, reason }, format) => `${path} cannot be trusted: ${format(reason)}.`,
  "hooks-untrustable": ({ reason }, format) => `The hooks cannot be trusted: ${format(reason)}`,
  "hook-untrustable": ({ hook, reason }, format) => `The ${hook} hook cannot be trusted: ${format(reason)}.`,
  "git-settings-included": "The repository's git settings include other files, so its hooks cannot be trusted.",
  "trust-unreadable": ({ path }) => `${path} cannot be read, so nothing that it lists is trusted. Delete the file, then trust again.`,
  "lfs-server-missing": "The repository has no remote, so there is no Git LFS server.",
  "lfs-protocol-unsupported": "Skein downloads Git LFS files only over https, http and ssh.",
  "copy-too-much": ({ pattern }) => `“${pattern}” matches too many or too large files. Some were not copied.`,
  "copy-outside": ({ path }) => `“${path}” leads out of the repository and was not copied.`,
};
