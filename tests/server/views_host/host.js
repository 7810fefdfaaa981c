// A host of views: a real MCP client and AppBridge, as hosts on the web are built.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const UI = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const client = new Client({ name: "host", version: "1" }, { capabilities: { extensions: UI } });

// Calls a tool and shows the view that its entry in tools/list names.
window.showTool = async (name, values, theme) => {
  if (!client.transport) await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", location.href)));
  const tool = (await client.listTools()).tools.find((each) => each.name === name);
  const uri = tool._meta.ui.resourceUri;
  const [resource] = (await client.readResource({ uri })).contents;
  const frame = document.querySelector("iframe");
  const bridge = new AppBridge(client, { name: "host", version: "1" },
    { openLinks: {}, serverTools: {}, serverResources: {} },
    { hostContext: { theme, displayMode: "inline", toolInfo: { tool } } });
  window.opened = [];
  bridge.onopenlink = async ({ url }) => { window.opened.push(url); return {}; };
  bridge.onsizechange = ({ height }) => { frame.height = height; };
  bridge.onsandboxready = () => bridge.sendSandboxResourceReady({ html: resource.text });
  const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
  frame.src = "http://sandbox.test/sandbox.html";
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  await ready;
  await bridge.sendToolInput({ arguments: values });
  const result = await client.callTool({ name, arguments: values });
  await bridge.sendToolResult(result);
  window.bridge = bridge;
  return { uri, mime: resource.mimeType };
};
window.loaded = true;
