/* Where a place in YAML text is: the keys that lead there, also while the text is being typed. */

const ITEM = "[]";

/**
 * Return the place at an offset of a line: {path, key, value, from}. `path` are the keys of what is
 * around; `key` is the key whose value is there, "" where a key is being typed; `value` is what is
 * typed up to the offset, and `from` is where that begins in the line. `lineAt(n)` gives line n,
 * counted from 0.
 */
export function yamlPlace(lineAt, number, offset) {
  const line = lineAt(number);
  const own = parts(line.slice(0, offset));
  if (!own || isInComment(line.slice(0, offset))) return null;
  const around = above(lineAt, number, own.column, own.items);
  const inside = flow(own.rest);
  const outer = [...around, ...own.items.map(() => ITEM)];
  return {
    path: [...outer, ...inside.path],
    key: inside.key,
    value: inside.value,
    from: offset - inside.value.length,
  };
}

/** Return the indentation of a line, its dashes, and what follows them. */
function parts(line) {
  const found = /^(\s*)((?:-\s+)*)(.*)$/.exec(line);
  if (!found) return null;
  const [, indent, dashes, rest] = found;
  const items = [];
  for (let at = 0; at < dashes.length; at += 1) {
    if (dashes[at] === "-") items.push(indent.length + at);
  }
  return { column: indent.length + dashes.length, items, rest };
}

function isInComment(text) {
  return /(^|\s)#/.test(text.replace(/"[^"]*"|'[^']*'/g, ""));
}

/** Return the keys of the blocks around a line. */
function above(lineAt, number, column, items) {
  const path = [];
  let limit = items[0] ?? column;
  let isItem = items.length > 0;
  for (let at = number - 1; at >= 0 && (limit > 0 || isItem); at -= 1) {
    const line = lineAt(at);
    if (/^\s*(#|$)/.test(line)) continue;
    const found = parts(line);
    const key = keyOf(found.rest);
    for (const dash of [...found.items].reverse()) {
      const start = dash === found.items.at(-1) ? found.column : dash + 2;
      if (isItem || dash >= limit) continue;
      if (key !== null && found.column < limit) path.unshift(key);
      if (start <= limit || found.column <= limit) {
        path.unshift(ITEM);
        limit = dash;
        isItem = true;
      }
    }
    if (found.items.length) continue;
    if (key !== null && (found.column < limit || (isItem && found.column === limit))) {
      path.unshift(key);
      limit = found.column;
      isItem = false;
    }
  }
  return path;
}

/** Return the key of a line such as `key: value`, or null. */
function keyOf(text) {
  const found = /^(?:"([^"]*)"|'([^']*)'|([^\s"'{[#&*!|>%@][^#]*?))\s*:(?:\s|$)/.exec(text);
  return found ? (found[1] ?? found[2] ?? found[3]) : null;
}

/** Follow a line through its brackets: {path, key, value}. */
function flow(text) {
  const stack = [{ sort: "block", key: "", start: 0 }];
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    const top = stack.at(-1);
    const isFirst = text.slice(top.start, at).trim() === "";
    const isSpace = /^\s?$/.test(text[at + 1] ?? "");
    if (quote) {
      if (sign === quote) quote = "";
    } else if ((sign === '"' || sign === "'") && isFirst) quote = sign;
    else if (sign === ":" && isSpace && top.key === "" && top.sort !== "[") {
      top.key = text
        .slice(top.start, at)
        .trim()
        .replace(/^["']|["']$/g, "");
      top.start = at + 1;
    } else if ((sign === "{" || sign === "[") && isFirst) {
      stack.push({ sort: sign, key: "", start: at + 1 });
    } else if ((sign === "}" || sign === "]") && stack.length > 1) stack.pop();
    else if (sign === "," && top.sort !== "block") {
      top.key = "";
      top.start = at + 1;
    }
  }
  const top = stack.at(-1);
  const path = [];
  for (const [at, level] of stack.entries()) {
    const isLast = at === stack.length - 1;
    if (level.sort === "[") path.push(ITEM);
    if (!isLast && level.key) path.push(level.key);
  }
  const value = text.slice(top.start).trimStart();
  return { path, key: top.sort === "[" ? ITEM : top.key, value };
}
