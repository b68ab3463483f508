/** Skein's own MCP server, as agents name it. */
export const skeinServerName = "skein";

/** The variable with the token of an execution whose agent may use Skein. */
export const skeinTokenVariable = "SKEIN_MCP_TOKEN";
