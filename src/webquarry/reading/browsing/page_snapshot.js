args => {
  // ids stay with their elements for as long as the document lives
  const created = !globalThis.webquarryPage;
  const state = globalThis.webquarryPage ??= {ids: new WeakMap(), nodes: new Map()};
  const ends = performance.now() + args.milliseconds;
  const words = text => new Set(text.split(" "));
  const BLOCKS = words("ADDRESS ARTICLE ASIDE BLOCKQUOTE BR DD DETAILS DIALOG DIV DL DT FIELDSET " +
    "FIGCAPTION FIGURE FOOTER FORM HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TD TH TR UL");
  const SKIPPED = words("SCRIPT STYLE NOSCRIPT TEMPLATE HEAD svg OBJECT EMBED");
  const ROLES = words("button link tab menuitem menuitemcheckbox menuitemradio option checkbox " +
    "switch radio combobox listbox textbox searchbox slider spinbutton treeitem");
  const TYPES = {checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton",
    search: "searchbox", button: "button", submit: "button", reset: "button", image: "button",
    file: "file"};
  const INTERACTIVE = "a[href],button,input,select,textarea,[role=button],[role=link],[tabindex]";
  const HEADING = /^H[1-6]$/;
  const MAX_DEPTH = 300, MAX_NODES = 60000, OPTIONS = 12;
  const items = [], present = new Set();
  let next = args.start, depth = 0, incomplete = false, visited = 0;
  let run = "", runNode = null;

  const clean = (text, most) => {
    const short = String(text || "").slice(0, most * 8).replace(/\s+/g, " ").trim();
    return short.length > most ? short.slice(0, most - 1) + "…" : short;
  };
  const quoted = (text, most) => JSON.stringify(clean(text, most));
  const idOf = node => {
    let id = state.ids.get(node);
    if (!id) {
      id = next++;
      state.ids.set(node, id);
      state.nodes.set(id, new WeakRef(node));
    }
    present.add(id);
    return id;
  };
  const inView = element => {
    const box = element.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  };
  const push = (node, element, line, extra) =>
    items.push({id: idOf(node), line, visible: inView(element), ...extra});
  const isShown = element =>
    element.checkVisibility({visibilityProperty: true, opacityProperty: true});

  const flush = () => {
    const text = clean(run, args.maxText), node = runNode;
    run = ""; runNode = null;
    const parent = node?.parentElement || node?.getRootNode()?.host;
    if (!text || !parent || !isShown(parent)) return;
    const act = getComputedStyle(parent).cursor === "pointer";
    push(node, parent, act ? `clickable ${JSON.stringify(text)}` : text, {act});
  };

  const roleOf = element => {
    const given = (element.getAttribute("role") || "").trim().split(/\s+/)[0];
    if (ROLES.has(given)) return given;
    switch (element.tagName) {
      case "A": if (element.hasAttribute("href")) return "link"; break;
      case "BUTTON": return "button";
      case "SUMMARY": return "summary";
      case "TEXTAREA": return "textbox";
      case "SELECT": return element.multiple ? "listbox" : "combobox";
      case "INPUT": return element.type === "hidden" ? "" : TYPES[element.type] || "textbox";
      case "IFRAME": return "frame";
      case "LABEL": {
        const control = element.control;
        const hidden = control && TYPES[control.type] && !control.checkVisibility();
        if (hidden) return TYPES[control.type];
      }
    }
    if (element.isContentEditable && !element.parentElement?.isContentEditable) return "textbox";
    const tab = element.getAttribute("tabindex");
    return element.hasAttribute("onclick") || (tab !== null && Number(tab) >= 0) ? "clickable" : "";
  };
  // `element.labels` goes through the whole document, for each element
  const labelMaps = new Map();
  const labelsOf = (element, root) => {
    if (!labelMaps.has(root)) {
      const map = new Map();
      root.querySelectorAll?.("label[for]").forEach(label => map.set(label.htmlFor, label));
      labelMaps.set(root, map);
    }
    const named = element.id ? labelMaps.get(root).get(element.id) : null;
    return [named || element.closest("label")].filter(Boolean);
  };
  const labelOf = element => {
    const root = element.getRootNode();
    const ids = (element.getAttribute("aria-labelledby") || "").split(/\s+/).slice(0, 5);
    const named = ids.map(id => id && root.getElementById?.(id)?.textContent || "").join(" ").trim();
    if (named) return named;
    const labels = element.tagName === "LABEL" ? [] : labelsOf(element, root);
    return labels.map(label => [...label.childNodes].filter(node => !node.contains(element))
      .map(node => node.textContent).join(" ")).join(" ").trim();
  };
  const ownText = element => {
    if (element.tagName === "INPUT") {
      return TYPES[element.type] === "button" ? element.value || element.alt || element.type : "";
    }
    if (element.tagName === "SELECT" || element.tagName === "TEXTAREA") return "";
    if (element.isContentEditable) return "";
    return element.textContent.trim() || element.querySelector("img[alt]")?.alt || "";
  };
  const nameOf = (element, text) => clean(
    element.getAttribute("aria-label") || labelOf(element) || text ||
    element.getAttribute("title") || element.getAttribute("placeholder") ||
    element.getAttribute("name") || element.getAttribute("src") || "", args.maxName);

  const valueOf = (element, role) => {
    if (element.tagName === "SELECT") {
      const names = [...element.options].slice(0, OPTIONS).map(option => clean(option.label, 40));
      const more = element.options.length > OPTIONS ? `, +${element.options.length - OPTIONS}` : "";
      const chosen = [...element.selectedOptions].map(option => clean(option.label, 40)).join(", ");
      return ` = ${JSON.stringify(chosen)} (${names.join(", ")}${more})`;
    }
    if (element.type === "password") return element.value ? " = (hidden)" : "";
    if (element.type === "file") return element.files?.length ? ` = ${element.files.length}` : "";
    const holds = ["textbox", "searchbox", "spinbutton", "slider", "combobox"].includes(role);
    const value = "value" in element ? element.value : element.isContentEditable
      ? element.textContent : element.getAttribute("aria-valuetext") || "";
    return holds && value ? ` = ${quoted(value, args.maxText)}` : "";
  };
  const statesOf = element => {
    const control = element.tagName === "LABEL" ? element.control : element;
    const is = name => element.getAttribute(`aria-${name}`) === "true";
    const states = [];
    if (control.checked || is("checked")) states.push("checked");
    if (is("selected")) states.push("selected");
    if (is("pressed")) states.push("pressed");
    const expanded = element.tagName === "SUMMARY" ? String(Boolean(element.parentElement?.open))
      : element.getAttribute("aria-expanded");
    if (expanded === "true") states.push("expanded");
    if (expanded === "false") states.push("collapsed");
    if (control.disabled || is("disabled")) states.push("disabled");
    if (control.required) states.push("required");
    if (control.matches(":user-invalid") || is("invalid")) states.push("invalid");
    return states.length ? ` (${states.join(", ")})` : "";
  };

  const actionable = (element, role) => {
    flush();
    const native = ["A", "BUTTON", "SUMMARY", "INPUT", "SELECT", "TEXTAREA"].includes(element.tagName);
    const nested = !native && role !== "frame" && !element.isContentEditable &&
      (role === "listbox" || element.querySelector(INTERACTIVE) !== null);
    const name = nameOf(element, nested ? "" : ownText(element));
    const described = `${role} ${JSON.stringify(name)}${valueOf(element, role)}${statesOf(element)}`;
    push(element, element, described, {act: true, frame: role === "frame"});
    return nested;
  };
  const heading = element => {
    const level = element.getAttribute("aria-level") || element.tagName.slice(1);
    push(element, element, `heading ${Number(level) || 2} ${quoted(element.textContent, args.maxText)}`, {});
  };

  const children = (node, onlyActionable) => {
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child, onlyActionable);
  };
  const visit = (node, onlyActionable) => {
    visited += 1;
    incomplete ||= visited > MAX_NODES || (visited % 64 === 0 && performance.now() > ends);
    if (incomplete) return;
    if (node.nodeType === Node.TEXT_NODE) {
      if (!onlyActionable && node.data.trim() && run.length < 4000) {
        runNode ||= node;
        run += node.data;
      } else if (run) run += " ";
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE || SKIPPED.has(node.tagName)) return;
    if (!node.checkVisibility() && node.tagName !== "BODY") {
      if (getComputedStyle(node).display !== "contents") return;
    }
    if (depth >= MAX_DEPTH) { incomplete = true; return; }
    depth += 1;
    element(node, onlyActionable);
    depth -= 1;
  };
  const element = (node, onlyActionable) => {
    const role = roleOf(node);
    if (role && node.checkVisibility({visibilityProperty: true})) {
      if (!actionable(node, role)) return;
    }
    const isHeading = HEADING.test(node.tagName) || node.getAttribute("role") === "heading";
    if (isHeading && !onlyActionable) {
      flush();
      if (isShown(node)) heading(node);
      children(node, true);
      return;
    }
    if (node.tagName === "IMG") {
      if (node.alt && !onlyActionable) { runNode ||= node; run += ` (image: ${clean(node.alt, 100)}) `; }
      return;
    }
    if (node.tagName === "LABEL" && node.control?.checkVisibility()) {
      children(node, true);  // its text is the name of the control
      return;
    }
    const block = BLOCKS.has(node.tagName);
    if (block) flush();
    if (node.shadowRoot) children(node.shadowRoot, onlyActionable);
    if (node.tagName === "SLOT" && node.assignedNodes().length) {
      node.assignedNodes().forEach(each => visit(each, onlyActionable));
    } else if (!node.shadowRoot) children(node, onlyActionable);
    if (block) flush();
  };

  if (document.body) visit(document.body, false);
  flush();
  const gone = args.seen.filter(id => {
    const node = state.nodes.get(id)?.deref();
    if (present.has(id)) return false;
    if (!node?.isConnected) { state.nodes.delete(id); return true; }
    return !incomplete;
  });
  // those in the window, then from the top
  const limit = args.maxItems, wanted = args.find.toLowerCase();
  const found = items.filter(item => !wanted || item.frame || item.line.toLowerCase().includes(wanted));
  let room = limit - found.filter(item => item.visible).length;
  const kept = found.length <= limit ? found : found.filter(item => item.visible || room-- > 0);
  return {
    items: kept.slice(0, limit), more: found.length - Math.min(kept.length, limit), incomplete, gone, next, created,
    title: clean(document.title, 200),
    scroll: {top: Math.round(scrollY), height: document.documentElement.scrollHeight, window: innerHeight},
  };
}
