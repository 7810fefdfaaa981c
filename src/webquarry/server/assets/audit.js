import "./shell.js";
import { call, problemView } from "./api.js";
import { find, h, note, show, size } from "./dom.js";
import { resultView } from "./views.js";

const MAX_BYTES = 2000000;
const form = find("audit");
const text = find("bibliography");
const ENDINGS = { bib: "bibtex", ris: "ris", json: "csl-json" };

async function take(file) {
  if (!file) return;
  if (file.size > MAX_BYTES) {
    find("file-note").textContent = `${file.name} is too large (maximum: ${size(MAX_BYTES)}).`;
    return;
  }
  text.value = await file.text();
  find("format").value = ENDINGS[file.name.split(".").at(-1).toLowerCase()] ?? "auto";
  find("file-note").textContent = `Loaded ${file.name}. Nothing is sent until you click “Check references”.`;
}

find("file").addEventListener("change", (event) => take(event.currentTarget.files[0]));
for (const name of ["dragover", "dragenter"]) {
  form.addEventListener(name, (event) => { event.preventDefault(); form.classList.add("drop"); });
}
form.addEventListener("dragleave", (event) => { if (!form.contains(event.relatedTarget)) form.classList.remove("drop"); });
form.addEventListener("drop", (event) => {
  event.preventDefault();
  form.classList.remove("drop");
  take(event.dataTransfer.files[0]);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!text.value.trim()) {
    show(find("result"), note("Paste a bibliography or choose a file first.", "warn"));
    text.focus();
    return;
  }
  const button = form.querySelector("button[type=submit]");
  button.disabled = true;
  show(find("result"), h("p", { class: "busy" }, "Checking every reference with the registries. This can take two minutes…"));
  try {
    const body = await call("audit_bibliography", { bibliography: text.value, format: find("format").value });
    show(find("result"), h("h2", {}, "Result"), await resultView("audit_bibliography", body));
  } catch (problem) {
    show(find("result"), problemView(problem));
  } finally {
    button.disabled = false;
  }
});
