// Marks what the browser does not show, with the reason, so that the extractor can remove it.
// Runs in an isolated world: the page cannot replace the functions that are used here.
async ({mark, milliseconds, maxTexts}) => {
  const end = performance.now() + milliseconds;
  const skipped = 'script,style,template,noscript,option,textarea,svg,head';
  const styles = new Map();
  const styleOf = element => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const parentOf = element => element.assignedSlot || element.parentElement ||
    (element.getRootNode() instanceof ShadowRoot ? element.getRootNode().host : null);
  const chain = element => {
    const found = [];
    for (let part = element; part; part = parentOf(part)) found.push(part);
    return found;
  };
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const conversions = new Map();
  const converted = text => { // other colour spaces
    if (!conversions.has(text)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
      conversions.set(text, {rgb: [red, green, blue], alpha: alpha / 255});
    }
    return conversions.get(text);
  };
  const colour = text => {
    const parts = (text.match(/[\d.]+(e-?\d+)?%?/g) || []).map(parseFloat);
    if (!/^rgba?\(/.test(text)) return converted(text);
    return {rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1};
  };
  const same = (one, other) => one.every((part, index) => Math.abs(part - other[index]) <= 10);
  const factorOf = (filter, name) => {
    const match = new RegExp(name + '\\(([\\d.e-]+)(%?)\\)').exec(filter);
    return match ? parseFloat(match[1]) / (match[2] ? 100 : 1) : 1;
  };
  const opacities = new Map();
  const opacityOf = element => {
    if (!element) return 1;
    if (!opacities.has(element)) {
      const style = styleOf(element);
      const own = parseFloat(style.opacity) * factorOf(style.filter, 'opacity');
      opacities.set(element, own * opacityOf(parentOf(element)));
    }
    return opacities.get(element);
  };
  const filtered = (rgb, filter) => {
    let parts = rgb.map(part => part / 255);
    for (const [, name, value] of filter.matchAll(/(brightness|contrast|invert)\(([\d.]+)\)/g)) {
      const amount = parseFloat(value);
      parts = parts.map(part => name === 'brightness' ? part * amount
        : name === 'contrast' ? (part - .5) * amount + .5
        : part * (1 - amount) + (1 - part) * amount).map(part => Math.min(1, Math.max(0, part)));
    }
    return parts.map(part => part * 255);
  };
  const blended = (rgb, behind, mode) => rgb.map((part, index) => {
    const other = behind[index];
    return mode === 'lighten' ? Math.max(part, other) : mode === 'darken' ? Math.min(part, other)
      : mode === 'multiply' ? part * other / 255
      : mode === 'screen' ? 255 - (255 - part) * (255 - other) / 255 : part;
  });
  const isOpenable = element => {
    for (const part of chain(element)) {
      if (part.hidden === 'until-found') return true;
      const details = part.parentElement;
      if (details && details.nodeName === 'DETAILS' && !details.open && part.nodeName !== 'SUMMARY')
        return true;
    }
    return false;
  };
  const isDegenerate = shape => {
    const match = /^(inset|circle|ellipse|polygon)\((.*)\)$/.exec(shape);
    if (!match) return false;
    if (match[1] === 'polygon') return new Set(match[2].split(',').map(p => p.trim())).size === 1;
    if (match[1] !== 'inset') return /^0(px|%)?\b/.test(match[2]);
    const edges = match[2].split(' round ')[0].split(' ').map(e => e.endsWith('%') ? parseFloat(e) : 0);
    const [top, right = top, bottom = top, left = right] = edges;
    return top + bottom >= 100 || left + right >= 100;
  };
  const isClipped = element => chain(element).some(part => {
    const style = styleOf(part);
    if (style.clip !== 'auto' && ['absolute', 'fixed'].includes(style.position)) {
      const edges = (style.clip.match(/-?[\d.]+px|auto/g) || []).map(e => e === 'auto' ? NaN : parseFloat(e));
      if (edges[1] - edges[3] <= 1 || edges[2] - edges[0] <= 1) return true;
    }
    if (style.clipPath !== 'none' && isDegenerate(style.clipPath)) return true;
    const mask = style.maskImage || 'none';
    return /gradient/.test(mask) &&
      (mask.match(/rgba?\([^)]*\)|#\w+|transparent/g) || ['#000'])
        .every(c => c === 'transparent' || (colour(c) || {alpha: 1}).alpha < .05);
  });
  const isPlaced = (element, until) => {
    for (let part = element; part && part !== until; part = parentOf(part)) {
      const style = styleOf(part);
      if (style.position === 'absolute' || Math.abs(parseFloat(style.textIndent)) > 400) return true;
    }
    return false;
  };
  // the part of a box that boxes around it do not cut off
  const shownBox = (element, box) => {
    let {left, top, right, bottom} = box;
    let position = styleOf(element).position;
    for (let part = element; part; part = parentOf(part)) {
      const style = styleOf(part);
      if (part !== document.body && part !== document.documentElement && style.display !== 'inline' &&
          (style.overflowX !== 'visible' || style.overflowY !== 'visible') &&
          !(position === 'fixed') && !(position === 'absolute' && style.position === 'static' && part !== element)) {
        const outer = part.getBoundingClientRect();
        const tiny = outer.width <= 2 || outer.height <= 2;
        if (tiny) return null;
        const hides = /hidden|clip/.test(style.overflowX + style.overflowY);
        if (hides && isPlaced(element, parentOf(part))) {
          left = Math.max(left, outer.left); right = Math.min(right, outer.right);
          top = Math.max(top, outer.top); bottom = Math.min(bottom, outer.bottom);
          if (right - left < 2 || bottom - top < 2) return null;
        }
      }
      if (part !== element && style.position !== 'static') position = style.position;
    }
    return {left, top, right, bottom};
  };
  const isOutside = (element, box) => {
    if (chain(element).some(part => styleOf(part).position === 'fixed'))
      return box.right <= 0 || box.bottom <= 0 || box.left >= innerWidth || box.top >= innerHeight;
    return box.right + scrollX <= 0 || box.bottom + scrollY <= 0 ||
      box.left + scrollX >= Math.max(4000, 2 * innerWidth);
  };
  const hasPaint = style => style.backgroundImage !== 'none' ||
    (colour(style.backgroundColor) || {alpha: 1}).alpha > .05;
  const hasPseudoPaint = element => ['::before', '::after'].some(name => {
    const style = getComputedStyle(element, name);
    return style.content !== 'none' && style.content !== 'normal' && hasPaint(style);
  });
  const isMedia = element => /^(img|picture|video|canvas|svg|iframe|object|embed)$/i.test(element.nodeName);
  const centre = box => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const stackAt = (element, range) => {
    element.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
    const box = range.getBoundingClientRect();
    return document.elementsFromPoint(...centre(box));
  };
  const isSameColour = (element, range) => {
    const style = styleOf(element);
    const text = colour(style.webkitTextFillColor || style.color);
    if (!text) return null;
    const path = chain(element);
    if (path.some(part => /text/.test(styleOf(part).backgroundClip))) return null;
    if (text.alpha < .05) return 'transparent text';
    let behind = [255, 255, 255], shown = text.rgb, box = null;
    for (const part of path) {
      const own = styleOf(part);
      if (own.filter !== 'none') shown = filtered(shown, own.filter);
      if (own.backgroundImage !== 'none') return null;
      const background = colour(own.backgroundColor);
      if (!background) return null;
      if (background.alpha > .05) { behind = background.rgb; box = part; break; }
    }
    for (const part of path) shown = blended(shown, behind, styleOf(part).mixBlendMode);
    if (!same(shown, behind)) return null;
    // a picture or another box may be between the text and its background
    for (const part of path) { if (hasPseudoPaint(part)) return null; if (part === box) break; }
    const stack = stackAt(element, range);
    const below = stack.slice(stack.indexOf(element) + 1);
    for (const part of below) {
      if (part === box) break;
      if (isMedia(part) || (!path.includes(part) && hasPaint(styleOf(part)))) return null;
    }
    return 'text in the colour of its background';
  };
  const roots = [document];
  for (let index = 0; index < roots.length && roots.length < 500; index++)
    for (const host of roots[index].querySelectorAll('*')) if (host.shadowRoot) roots.push(host.shadowRoot);
  for (const root of roots)
    for (const marked of root.querySelectorAll(`[${mark}]`)) marked.removeAttribute(mark);
  const texts = [];
  for (const root of roots) {
    const walker = document.createTreeWalker(root === document ? document.documentElement : root, NodeFilter.SHOW_TEXT);
    while (texts.length < maxTexts && walker.nextNode()) {
      const node = walker.currentNode, element = node.parentElement;
      if (node.data.trim() && element && !element.closest(skipped)) texts.push({node, element});
    }
  }
  const faded = () => texts.some(({element}) => opacityOf(element) < .05);
  if (faded()) { // many pages show their parts when these are scrolled to
    for (let y = 0, steps = 0; y < document.documentElement.scrollHeight && steps < 30; y += innerHeight, steps++) {
      scrollTo({top: y, behavior: 'instant'});
      await new Promise(done => setTimeout(done, 15));
    }
    await new Promise(done => setTimeout(done, 250));
    scrollTo({top: 0, behavior: 'instant'});
    styles.clear(); opacities.clear();
  }
  const forced = document.createElement('style');
  forced.textContent = '*,*::before,*::after{pointer-events:auto!important}';
  document.documentElement.append(forced);
  const covers = [];
  for (const element of document.querySelectorAll('body *')) {
    if (covers.length >= 300 || performance.now() > end) break;
    const style = getComputedStyle(element);
    const isOpaque = s => (colour(s.backgroundColor) || {alpha: 0}).alpha > .9 && s.visibility === 'visible' && s.opacity > .9;
    if (['absolute', 'relative'].includes(style.position) && style.display !== 'none' && isOpaque(style))
      covers.push({element, box: element.getBoundingClientRect(), x: scrollX, y: scrollY});
    else if (style.position === 'relative' && ['::before', '::after'].some(name => {
      const pseudo = getComputedStyle(element, name);
      return pseudo.content !== 'none' && pseudo.position === 'absolute' && isOpaque(pseudo);
    })) covers.push({element, box: element.getBoundingClientRect(), x: scrollX, y: scrollY, pseudo: true});
  }
  const isCovered = (element, range, box) => {
    const [x, y] = centre(box);
    const near = covers.filter(({element: cover, box: outer, pseudo}) => x > outer.left && x < outer.right &&
      y > outer.top && y < outer.bottom && (pseudo ? cover.contains(element) : !cover.contains(element) && !element.contains(cover)));
    if (!near.length) return false;
    const top = stackAt(element, range)[0];
    if (!top || element.contains(top)) return false;
    return near.some(({element: cover, pseudo}) => pseudo ? top === cover : cover.contains(top));
  };
  const reasons = new Map();
  const elementReason = element => {
    const style = styleOf(element);
    if (!element.checkVisibility()) return isOpenable(element) ? '' : 'display: none';
    if (chain(element).some(part => styleOf(part).contentVisibility === 'hidden'))
      return isOpenable(element) ? '' : 'content-visibility: hidden';
    if (style.visibility !== 'visible') return 'visibility: hidden';
    if (opacityOf(element) < .05) return 'opacity: 0';
    if (parseFloat(style.fontSize) < 2) return 'zero size';
    return isClipped(element) ? 'clipped away' : '';
  };
  const textReason = ({node, element}) => {
    if (!reasons.has(element)) reasons.set(element, elementReason(element));
    const reason = reasons.get(element);
    if (reason || !element.checkVisibility()) return reason;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) return 'zero size';
    if (parseFloat(styleOf(element).fontSize) > 0 && box.height < 2) return 'zero size';
    if (isOutside(element, box)) return 'off screen';
    if (!shownBox(element, box)) return 'zero size';
    const hidden = isSameColour(element, range);
    if (hidden) return hidden;
    return isCovered(element, range, range.getBoundingClientRect()) ? 'covered' : '';
  };
  const culprit = (element, reason) => {
    const path = chain(element);
    if (reason === 'display: none') return path.findLast(part => styleOf(part).display === 'none') || element;
    if (reason === 'opacity: 0') return path.find(part => styleOf(part).opacity < .05) || element;
    if (reason !== 'visibility: hidden') return element;
    let found = element;
    while (parentOf(found) && styleOf(parentOf(found)).visibility !== 'visible') found = parentOf(found);
    return found;
  };
  const shown = new Set(), hidden = [];
  const show = element => { for (let part = element; part && !shown.has(part); part = parentOf(part)) shown.add(part); };
  for (const text of texts) {
    const reason = performance.now() < end ? textReason(text) : '';
    if (reason) hidden.push({...text, reason}); else show(text.element);
  }
  for (const root of roots) for (const image of root.querySelectorAll('img[alt]')) {
    const isLazy = image.loading === 'lazy' || /lazy/.test(image.className) ||
      image.getAttributeNames().some(name => /^data-.*src/.test(name));
    const box = image.getBoundingClientRect();
    const reason = image.closest('noscript') ? '' : !image.checkVisibility() ? (isOpenable(image) ? '' : 'display: none')
      : !image.checkVisibility({visibilityProperty: true}) ? 'visibility: hidden'
      : !isLazy && opacityOf(image) < .05 ? 'opacity: 0'
      : box.width > 0 && isOutside(image, box) ? 'off screen'
      : image.getAttribute('width') <= 1 && image.hasAttribute('width') ? 'zero size' : '';
    if (!reason) show(image);
    else if (image.alt.trim() && !(isLazy && reason === 'display: none')) image.setAttribute(mark, reason);
  }
  forced.remove();
  for (const {node, element, reason} of hidden) {
    const part = culprit(element, reason);
    if (part === document.body || part === document.documentElement) continue;
    if (!shown.has(part)) { part.setAttribute(mark, reason); continue; }
    if (!shown.has(element)) { element.setAttribute(mark, reason); continue; }
    const wrapper = document.createElement('span');
    wrapper.setAttribute(mark, reason);
    node.replaceWith(wrapper);
    wrapper.append(node);
  }
  for (const element of document.querySelectorAll('noscript')) element.setAttribute(mark, 'noscript');
  for (const phantom of document.querySelectorAll('mphantom')) phantom.remove();
  scrollTo({top: 0, behavior: 'instant'});
  return hidden.length;
}
