args => {
  const found = globalThis.webquarryPage?.nodes.get(args.id)?.deref();
  if (!found?.isConnected) return {problem: "gone"};
  const target = found.nodeType === Node.ELEMENT_NODE ? found : found.parentElement;
  const clean = text => String(text || "").replace(/\s+/g, " ").trim().slice(0, 60);
  const fire = (...names) => names.forEach(name =>
    target.dispatchEvent(new Event(name, {bubbles: true, composed: true})));

  const point = () => {
    const box = [...target.getClientRects()].find(each => each.width && each.height);
    if (!box) return {problem: "hidden"};
    const control = target.tagName === "LABEL" ? target.control : target;
    if (control?.disabled) return {problem: "disabled"};
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    const hit = target.getRootNode().elementFromPoint(x, y);
    const isTarget = hit && (target.contains(hit) || hit.contains(target) || hit.control === target ||
      target.shadowRoot?.contains(hit));
    if (!isTarget) {
      const what = hit ? `${hit.tagName.toLowerCase()} "${clean(hit.textContent)}"` : "nothing";
      return {problem: "covered", by: what};
    }
    return {x, y};
  };
  const focus = () => {
    target.focus();
    if (target.select) target.select();
    else if (target.isContentEditable) getSelection().selectAllChildren(target);
    else return {problem: "not_editable"};
    return {};
  };
  const fill = () => {
    if (target.disabled || target.readOnly) return {problem: "disabled"};
    const set = ["date", "time", "datetime-local", "month", "week", "color", "range"];
    if (target.tagName !== "INPUT" || !set.includes(target.type)) return focus();
    target.focus();
    target.value = args.text;
    if (target.value !== args.text && target.type !== "range") return {problem: "not_accepted"};
    fire("input", "change");
    return {done: true};
  };
  const choose = () => {
    if (target.tagName !== "SELECT") return {problem: "not_a_select"};
    if (target.disabled) return {problem: "disabled"};
    const options = [...target.options], wanted = args.text.trim();
    const option = options.find(each => clean(each.label) === wanted) ||
      options.find(each => each.value === wanted) ||
      options.find(each => clean(each.label).toLowerCase() === wanted.toLowerCase());
    if (!option) return {problem: "no_option", by: options.slice(0, 30).map(each => clean(each.label)).join(", ")};
    if (target.multiple) option.selected = true; else target.value = option.value;
    if (!target.multiple) target.selectedIndex = option.index;
    fire("input", "change");
    return {};
  };
  const box = target.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) {
    target.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
  }
  return {point, focus: () => { target.focus(); return {}; }, fill, choose, show: () => ({})}[args.do]();
}
