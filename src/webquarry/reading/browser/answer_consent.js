// Clicks the button of a question for consent, and returns its label; '' if there is none.
({ labels, selectors, topics, inFrame }) => {
  const fold = (text) =>
    (text || "").normalize("NFKC").toLowerCase().replace(/[\s\u00a0]+/g, " ").replace(/^[\s×✕✓]+|[\s.!…→›»>×✕✓]+$/gu, "");
  const roots = [document];
  for (let at = 0; at < roots.length && roots.length < 200; at++)
    for (const host of roots[at].querySelectorAll("*")) if (host.shadowRoot) roots.push(host.shadowRoot);
  const isShown = (part) => {
    const box = part.getBoundingClientRect();
    return box.width > 1 && box.height > 1 &&
      part.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const labelOf = (part) => (part.innerText || part.value || part.ariaLabel || "").replace(/\s+/g, " ").trim();
  const click = (part) => {
    const label = labelOf(part) || part.id || part.className;
    part.click();
    return String(label).slice(0, 80);
  };
  for (const root of roots)
    for (const selector of selectors) {
      const part = root.querySelector(selector);
      if (part && isShown(part)) return click(part);
    }
  const parentOf = (part) => part.parentElement || (part.getRootNode().host ?? null);
  const isAbout = (text) => { const folded = fold(text.slice(0, 8000)); return topics.some((topic) => folded.includes(topic)); };
  const hint = /cookie|consent|gdpr|dsgvo|privacy|cmp\b|didomi|onetrust|usercentrics|rgpd|datenschutz/i;
  const isOverlay = (part) => {
    const style = getComputedStyle(part);
    return part.nodeName === "DIALOG" || /^(alert)?dialog$/.test(part.getAttribute("role") || "") ||
      part.ariaModal === "true" || ["fixed", "sticky"].includes(style.position) ||
      hint.test(`${part.id} ${typeof part.className === "string" ? part.className : ""} ${part.ariaLabel || ""} ${part.nodeName}`);
  };
  // a page that is nothing but the question
  const isWall = () => document.body && document.body.innerText.length < 6000 && isAbout(document.body.innerText);
  const asks = (part) => {
    for (let outer = parentOf(part); outer && outer !== document.body; outer = parentOf(outer))
      if (isOverlay(outer) && isAbout(outer.innerText || outer.shadowRoot?.textContent || "")) return true;
    return inFrame ? isAbout(document.body?.innerText || "") : false;
  };
  const wanted = new Set(labels);
  const found = roots
    .flatMap((root) => [...root.querySelectorAll("button,a,[role=button],input[type=button],input[type=submit]")])
    .filter((part) => wanted.has(fold(labelOf(part))) && isShown(part));
  const part = found.find(asks) || (found.length && isWall() && found.find((one) => one.nodeName !== "A"));
  return part ? click(part) : "";
}
