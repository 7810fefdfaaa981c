import "./shell.js";
import { artifact, get, problemView } from "./api.js";
import { copyButton, find, h, moment, note, number, save, show, size, table } from "./dom.js";

const PIECE = 65536;
const READABLE = /^(text\/|application\/(json|xml|x-bibtex))/;

async function open(each) {
  const { type, meta, blob } = await artifact(each.uri, { offset: 0, length: PIECE });
  const readable = READABLE.test(type);
  let text = readable ? await blob.text() : "";
  if (type === "application/json" && !meta.nextOffset) text = JSON.stringify(JSON.parse(text), null, 2);
  show(find("artifact"), h("div", { class: "panel" }, h("h2", {}, each.title || "Artifact"), h("p", {}, h("code", { class: "long" }, each.uri)),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => download(each) }, "Download"), copyButton("Copy URI", each.uri)),
    readable ? h("pre", { tabindex: "0" }, text) : note(`${type} cannot be shown here.`),
    meta.nextOffset && note(`Showing the first ${size(meta.nextOffset)} of ${size(meta.totalBytes)}.`)));
  find("artifact").scrollIntoView({ block: "nearest" });
}

async function download(each) {
  const { type, blob } = await artifact(each.uri);
  const ending = { "application/json": "json", "text/markdown": "md", "text/html": "html", "text/plain": "txt" }[type] ?? "bin";
  save(`artifact-${each.id.slice(0, 12)}.${ending}`, blob);
}

const withProblems = (action) => () => action().catch((problem) => show(find("artifact"), problemView(problem)));

try {
  const { artifacts } = await get("/v1/console/artifacts");
  show(find("list"), table(`Artifacts (${number(artifacts.length)})`, ["Artifact", "Type", "Size", "Expires", "Actions"], artifacts.map((each) => [
    h("span", { class: "words" }, each.title || each.id.slice(0, 16)), each.mimeType, size(each.bytes), moment(each.expiresAt),
    h("button", { type: "button", class: "quiet", "aria-label": `Show ${each.title || each.id.slice(0, 16)}`, onclick: withProblems(() => open(each)) }, "Show")]),
    "No artifacts. A result that is too large to return inline is stored as an artifact for 30 minutes (ARTIFACT_TTL)."));
} catch (problem) {
  show(find("list"), problemView(problem));
}
