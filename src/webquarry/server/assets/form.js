// A form for the arguments of a tool, built from its JSON Schema.
import { h, plural } from "./dom.js";
import { inline } from "./markdown.js";

const LONG = new Set(["bibliography", "note", "searchStep", "citation", "claim", "reasoning", "sessionSummary"]);
const names = new Intl.DisplayNames("en", { type: "region" });
const COUNTRIES = ("AR AT AU BE BR CA CH CL CN CO CZ DE DK EG ES FI FR GB GR HK HU ID IE IL IN IT JP KE KR MX MY NG NL NO NZ PE PH PK PL PT RO RU SA SE SG TH TR TW UA US VN ZA").split(" ");
const LATER = new Set(["max_tokens", "cursor", "provider", "sessionId", "webhook"]);

// The schema without the alternative null, which only means that the argument is optional.
function plain(schema) {
  const choices = (schema.anyOf ?? []).filter((each) => each.type !== "null");
  return choices.length ? { ...choices[0], ...schema } : schema;
}

// Choices of an argument that takes any text: providers, lenses, countries.
function menuOf(name, schema) {
  if (schema.type !== "string" || schema.enum) return null;
  if (schema.choices) return schema.choices.map((each) => [each, each]);
  return name === "country" ? COUNTRIES.map((code) => [code.toLowerCase(), `${names.of(code)} (${code.toLowerCase()})`]).sort((a, b) => a[1].localeCompare(b[1])) : null;
}

function control(id, name, schema, needed) {
  const about = { id, name, "aria-describedby": `${id}-about`, required: needed };
  const shown = schema.default === undefined || schema.default === null ? "" : schema.default;
  const menu = menuOf(name, schema);
  if (menu) {
    return h("select", about, h("option", { value: "" }, shown === "" ? "automatic" : `${shown} (default)`), menu.map(([value, title]) => h("option", { value }, title)));
  }
  if (schema.enum) {
    const none = needed ? null : h("option", { value: "" }, shown === "" ? "–" : `${shown} (default)`);
    const rest = schema.enum.filter((each) => needed || each !== shown);
    return h("select", about, none, rest.map((each) => h("option", { value: JSON.stringify(each) }, String(each))));
  }
  if (schema.type === "boolean") return h("input", { ...about, type: "checkbox", checked: schema.default === true, required: false });
  if (schema.type === "integer" || schema.type === "number") {
    return h("input", { ...about, type: "number", step: schema.type === "integer" ? "1" : "any",
      min: schema.minimum, max: schema.maximum, placeholder: shown, inputmode: "decimal" });
  }
  if (schema.type === "array" && schema.items?.enum) {
    return h("fieldset", { id, class: "choices", "data-name": name }, h("legend", { class: "unseen" }, name),
      schema.items.enum.map((each) => h("label", {}, h("input", { type: "checkbox", value: JSON.stringify(each) }), ` ${each}`)));
  }
  if (schema.type === "array" && schema.items?.type !== "object") {
    return h("textarea", { ...about, rows: 2, placeholder: "one per line" });
  }
  if (schema.type === "string" && LONG.has(name)) return h("textarea", { ...about, rows: name === "bibliography" ? 8 : 3 });
  if (schema.type === "string") {
    return h("input", { ...about, type: schema.format === "uri" ? "url" : "text", placeholder: shown, autocomplete: "off" });
  }
  return h("textarea", { ...about, rows: 3, placeholder: "JSON", spellcheck: "false" });
}

function given(node, schema, needed) {
  if (schema.type === "boolean") return needed || node.checked !== (schema.default === true) ? node.checked : undefined;
  if (node.tagName === "FIELDSET") {
    const chosen = [...node.querySelectorAll("input:checked")].map((each) => JSON.parse(each.value));
    return chosen.length ? chosen : undefined;
  }
  const text = node.value;
  if (!text.trim()) return undefined;
  if (schema.enum) return JSON.parse(text);
  if (schema.type === "integer" || schema.type === "number") return Number(text);
  if (schema.type === "string") return text;
  if (schema.type === "array" && schema.items?.type !== "object") return text.split("\n").map((each) => each.trim()).filter(Boolean);
  try {
    return JSON.parse(text);
  } catch {
    throw new SyntaxError(`${node.name}: not valid JSON`);
  }
}

function put(node, schema, value) {
  if (schema.type === "boolean") node.checked = value === true || value === "true";
  else if (node.tagName === "FIELDSET") {
    const chosen = new Set([value].flat().map((each) => JSON.stringify(each)));
    for (const box of node.querySelectorAll("input")) box.checked = chosen.has(box.value);
  } else if (schema.enum) {
    // the default is the empty option; values from the query string are text
    const match = schema.enum.find((each) => String(each) === String(value));
    node.value = match === undefined || (match === schema.default && !node.required) ? "" : JSON.stringify(match);
  }
  else if (node.tagName === "SELECT" && ![...node.options].some((each) => each.value === String(value))) {
    node.append(h("option", { value }, String(value))); // a link may name one that is not in the menu
    node.value = String(value);
  }
  else if (Array.isArray(value) && schema.items?.type !== "object") node.value = value.join("\n");
  else node.value = typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function toolForm(definition) {
  const { properties = {}, required = [] } = definition.inputSchema;
  const fields = Object.entries(properties).map(([name, raw]) => {
    const schema = plain(raw);
    const id = `arg-${name}`;
    const needed = required.includes(name);
    const node = control(id, name, schema, needed);
    const words = h(node.tagName === "FIELDSET" ? "span" : "label",
      node.tagName === "FIELDSET" ? { class: "label" } : { for: id }, name, needed && h("span", { class: "must", title: "required" }, " *"));
    const about = h("span", { class: "hint", id: `${id}-about` }, inline(raw.description ?? ""));
    const wide = node.tagName === "TEXTAREA" || name === "query" || name === "url";
    const box = h("div", { class: wide ? "wide" : schema.type === "boolean" ? "tick" : "" },
      schema.type === "boolean" ? [node, words, about] : [words, about, node]);
    return { name, schema, needed, node, box };
  });
  const first = fields.filter((each) => each.needed);
  const rest = fields.filter((each) => !each.needed);
  const near = first.length ? [] : rest.filter((each) => !LATER.has(each.name)).slice(0, 3);
  const far = rest.filter((each) => !near.includes(each));
  const more = far.length > 0 && h("details", {}, h("summary", {}, plural(far.length, "more option")),
    h("div", { class: "fields" }, far.map((each) => each.box)));
  const node = h("form", { class: "panel", "data-tool": definition.name },
    h("div", { class: "fields" }, [...first, ...near].map((each) => each.box)), more,
    h("div", { class: "row" }, h("button", { type: "submit" }, "Run"), h("button", { type: "reset", class: "quiet" }, "Clear")));
  return {
    node,
    values: () => Object.fromEntries(fields
      .map((each) => [each.name, given(each.node, each.schema, each.needed)])
      .filter(([, value]) => value !== undefined)),
    fill(values) {
      for (const each of fields) {
        if (!(each.name in values)) continue;
        put(each.node, each.schema, values[each.name]);
        if (more && far.includes(each)) more.open = true;
      }
    },
    mark(names) {
      for (const each of fields) {
        const wrong = names.includes(each.name);
        each.node.toggleAttribute("aria-invalid", false);
        if (wrong) {
          each.node.setAttribute("aria-invalid", "true");
          if (more && far.includes(each)) more.open = true;
          each.node.focus();
        }
      }
    },
  };
}
