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
  show(find("artifact"), h("div", { class: "panel" }, h("h2", {}, "Artifact"), h("p", {}, h("code", { class: "long" }, each.uri)),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => download(each) }, "Save"), copyButton("Copy address", each.uri)),
    readable ? h("pre", { tabindex: "0" }, text) : note(`${type} cannot be shown here.`),
    meta.nextOffset && note(`Shown are the first ${size(meta.nextOffset)} of ${size(meta.totalBytes)}.`)));
  find("artifact").scrollIntoView({ block: "nearest" });
}

async function download(each) {
  const { type, blob } = await artifact(each.uri);
  const ending = { "application/json": "json", "text/markdown": "md", "text/html": "html", "text/plain": "txt" }[type] ?? "bin";
  save(`artifact-${each.id.slice(0, 12)}.${ending}`, blob);
}

const guarded = (does) => () => does().catch((problem) => show(find("artifact"), problemView(problem)));

try {
  const { artifacts } = await get("/v1/console/artifacts");
  show(find("list"), table(`Artifacts (${number(artifacts.length)})`, ["Artifact", "Type", "Size", "Kept until", ""], artifacts.map((each) => [
    h("code", {}, each.id.slice(0, 16)), each.mimeType, size(each.bytes), moment(each.expiresAt),
    h("button", { type: "button", class: "quiet", "aria-label": `Show ${each.id.slice(0, 16)}`, onclick: guarded(() => open(each)) }, "Show")]),
    "None now. A result becomes an artifact when it is too large for one answer; it is kept for half an hour unless ARTIFACT_TTL says otherwise."));
} catch (problem) {
  show(find("list"), problemView(problem));
}
