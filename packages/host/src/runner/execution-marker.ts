/** The variable that marks every process of an execution. */
export const executionMarker = "SKEIN_EXECUTION_ID";
