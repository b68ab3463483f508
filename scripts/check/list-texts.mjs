/** The texts of a dictionary: their keys, as patterns, the section they are in, and their whole names. */
export function listTexts(section, names = []) {
  return Object.entries(section).flatMap(([key, value]) =>
    typeof value === "object" && value !== null
      ? listTexts(value, [...names, key])
      : [{ key: key.replaceAll("-", "\\-"), section: names.at(-1) ?? "", name: [...names, key].join(".") }],
  );
}

/** Whether code names a text by its key, or looks texts of its section up by a variable. An approximation: it may say yes too often. */
export function isUsedText({ key, section }, code) {
  return isFound(`[.{,]\\s*${key}\\b`, code) || (section !== "" && isFound(`\\b${section}\\??\\[`, code));
}

/** Whether the section of a text is an argument: then the function that gets it chooses the text. */
export function isPassedOn({ section }, code) {
  return section !== "" && isFound(`\\b${section}[,)]`, code);
}

function isFound(pattern, code) {
  const expression = new RegExp(pattern);
  return code.some((content) => expression.test(content));
}
