// One round of scrolling through a list that has no end: notes what is shown, then scrolls on.
// Runs in an isolated world, in which it keeps what it has seen; `finish` puts rows back that a
// virtual list has taken out of the document.
({ labels, finish }) => {
  const maxRows = 5000;
  const state = (globalThis.scrolled ??= { texts: new Set(), rows: new Map(), keys: new WeakMap() });
  const fold = (text) => (text || "").replace(/\s+/g, " ").trim();
  const roots = [document];
  for (let at = 0; at < roots.length && roots.length < 200; at++)
    for (const host of roots[at].querySelectorAll("*")) if (host.shadowRoot) roots.push(host.shadowRoot);
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);

  const marked = "tr,li,article,[role=row],[role=listitem],[role=article],[role=option]";
  const rowsNow = () => {
    const rows = new Set(all(marked));
    for (const parent of all("*")) {
      const children = parent.children;
      if (children.length < 5 || /^(TR|HEAD|SELECT|BODY)$/.test(parent.nodeName)) continue;
      const kind = (child) => child.nodeName + child.className;
      const common = kind(children[children.length >> 1]);
      const same = [...children].filter((child) => kind(child) === common);
      if (same.length * 5 < children.length * 4 || /^(TD|TH|SCRIPT|STYLE|LINK|META)$/.test(same[0].nodeName))
        continue;
      if (parent.closest(marked) || parent.querySelector(marked)) continue;
      for (const child of same) rows.add(child);
    }
    // of rows inside rows, the inner ones
    for (const row of [...rows])
      for (let part = row.parentElement; part; part = part.parentElement) rows.delete(part);
    return [...rows];
  };
  const keyOf = (row) => fold(row.textContent).slice(0, 400);
  const isSameText = (one, other) => one.slice(0, 20) === other.slice(0, 20) || one.includes(other);
  const note = () => {
    for (const row of rowsNow()) {
      const key = keyOf(row);
      const before = state.keys.get(row);
      if (!key || before === key) continue;
      // a row that was completed replaces itself; one that is used again for another does not
      if (before && isSameText(key, before)) state.rows.delete(before);
      state.keys.set(row, key);
      if (!state.rows.has(key) && state.rows.size < maxRows)
        state.rows.set(key, { copy: row.cloneNode(true), parent: row.parentNode });
    }
  };
  const novelty = () => {
    let fresh = 0;
    for (const root of roots) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = fold(walker.currentNode.data).slice(0, 200);
        // without letters it is a clock or a counter
        if (!/\p{L}{2}/u.test(text) || state.texts.has(text)) continue;
        if (walker.currentNode.parentElement?.closest("script,style,noscript,template")) continue;
        state.texts.add(text);
        fresh++;
      }
    }
    return fresh;
  };
  // the list itself would take the rows out again: a copy of it, without its script, keeps them
  const stillCopy = (parent) => {
    let outer = parent;
    for (let part = parent; part && part !== document.body && part.nodeType === 1; part = part.parentElement)
      if (/auto|scroll/.test(getComputedStyle(part).overflowY)) outer = part;
    parent.setAttribute("data-webquarry-list", "");
    const copy = outer.cloneNode(true);
    parent.removeAttribute("data-webquarry-list");
    const list = copy.matches("[data-webquarry-list]") ? copy : copy.querySelector("[data-webquarry-list]");
    for (const part of [copy, list, ...list.children]) unplace(part);
    outer.replaceWith(copy);
    return list;
  };
  const unplace = (part) => {
    if (!part.style) return;
    for (const name of ["position", "top", "transform", "height", "max-height", "overflow", "overflow-y"])
      part.style.removeProperty(name);
  };
  const restore = () => {
    const shown = new Set(rowsNow().map(keyOf));
    const missing = new Map();
    let count = 0;
    for (const [key, { copy, parent }] of state.rows) {
      if (shown.has(key)) continue;
      const place = parent && parent.isConnected && parent.nodeType === 1 ? parent : document.body;
      if (!missing.has(place)) missing.set(place, document.createDocumentFragment());
      unplace(copy);
      missing.get(place).append(copy);
      count++;
    }
    for (const [place, rows] of missing)
      if (place === document.body) place.append(rows);
      else stillCopy(place).prepend(rows);
    return count;
  };
  if (finish) return { restored: restore() };

  const fresh = novelty();
  note();
  const root = document.scrollingElement || document.documentElement;
  const isLarge = (part) => part.clientHeight >= 100 && part.clientWidth >= 200;
  const inner = all("body *").filter(
    (part) => part.scrollHeight > part.clientHeight + 1 && isLarge(part) &&
      /auto|scroll/.test(getComputedStyle(part).overflowY));
  let moved = false;
  for (const part of [root, ...inner.slice(0, 5)]) {
    const before = part.scrollTop;
    part.scrollBy({ top: part.clientHeight * 0.9, behavior: "instant" });
    moved ||= part.scrollTop > before + 1;
  }
  if (moved) return { fresh, moved, clicked: "" };
  const wanted = new Set(labels);
  const staysHere = (part) =>
    part.nodeName !== "A" || !part.hasAttribute("href") || /^(#|javascript:)/.test(part.getAttribute("href"));
  const more = all("button,a,[role=button],input[type=button]").find((part) => {
    const label = fold(part.innerText || part.value || part.ariaLabel).toLowerCase().replace(/[\s.…↓▼+(\d)]+$/u, "");
    return wanted.has(label) && staysHere(part) && !part.disabled && part.checkVisibility();
  });
  if (more) more.click();
  return { fresh, moved, clicked: more ? fold(more.innerText || more.value || more.ariaLabel) : "" };
}
