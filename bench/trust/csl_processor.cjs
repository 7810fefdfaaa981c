// Formats CSL items with citeproc-js, each one alone. Reads JSON from stdin, writes {id: entry}.
const CSL = require("citeproc");
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
const items = Object.fromEntries(input.items.map((item) => [item.id, item]));
const system = {
  retrieveLocale: (language) => input.locales[language] || input.locales["en-US"],
  retrieveItem: (id) => items[id],
};
const engine = new CSL.Engine(system, input.style, input.locale, true);
engine.setOutputFormat("text");
const entries = {};
for (const id of Object.keys(items)) {
  engine.updateItems([id]);
  entries[id] = input.notes
    ? engine.makeCitationCluster([{ id }]).trim()
    : engine.makeBibliography()[1][0].trim();
}
process.stdout.write(JSON.stringify(entries));
