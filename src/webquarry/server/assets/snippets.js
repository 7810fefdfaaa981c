// The same call for a terminal, a Python program and an MCP client.
import { copyButton, h } from "./dom.js";

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function python(value) {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`).join(", ")}}`;
  return JSON.stringify(value);
}

export const SNIPPETS = {
  curl: (tool, values) => `curl -s ${location.origin}/v1/tools/${tool} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(values))}`,
  Python: (tool, values) => `from webquarry import WebquarrySync\n\nwith WebquarrySync() as wq:\n    print(wq.call(${JSON.stringify(tool)}, **${python(values)}))`,
  "MCP call": (tool, values) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: values } }, null, 2),
};

export const copyAs = (tool, values) => h("div", { class: "row copy-as", role: "group", "aria-label": "Copy this call" }, h("span", { class: "hint" }, "Copy as"),
  Object.entries(SNIPPETS).map(([name, text]) => copyButton(name, () => text(tool, values))));
