/* The wire to the server: events in, requests out.
 *
 *   wire.tab                    name of this tab in edits and events
 *   wire.connect()              opens the events and keeps them open
 *   wire.get(path, query)       JSON of a GET; throws WireError {message, status, answer}
 *   wire.post(path, body)       the same for a POST
 *   wire.edit({label, join, edits})   sends edits in order, one after another; rows show them at
 *                               once. What waits under the same `join` is joined before it is sent.
 *                               Resolves with the server's answer, rejects with a WireError (409:
 *                               answer = {file, rev, text}) after a toast; none with `quiet`.
 *   wire.set(row, path, value, label)  sets a value inside a row of `rows`; path inside the row.
 *                               Missing maps on the way are made. undefined removes the value.
 *   wire.hold(send), wire.release(send)   note what is typed and sent in a moment, as the
 *                               outbox does
 *   wire.undo(), wire.redo()
 *   wire.show(keys)             faces in view, most important first (sent at most 5 times a second)
 *   wire.rows(kind)             reads the rows of a kind into store.rows(kind)
 *   wire.picture(sha, width)    address of the picture of a face, `width` in CSS pixels
 *   wire.asset(file, width)     address of a picture file of the project; without a width: itself
 *   wire.places(key, sha)       what is where on a face (/api/face), asked for once
 *   wire.icon(name)             address of an icon by its name, of this pack or shipped
 *   wire.send(path, query, body)      POSTs bytes or text as they are; JSON back, as wire.post
 *   wire.upload(file, sort)     sends a picture or icon → {path, name, width, height}
 *   wire.on(type, hear)         calls hear(event) for each event of a type; returns how to stop
 *   wire.toast(text, sort)      shows a short note ("error" or "note")
 */
import { createEvents } from "./events.js";
import { createOutbox } from "./outbox.js";
import { settingIn } from "./nodes.js";
import { createRereading } from "./rereading.js";
import { t } from "./words.js";

const STEP = 48; // pixels; pictures are asked for in few widths, so that they are kept
const SHOW_EVERY = 200; // ms
const MOST_KEPT = 20_000; // characters; browsers take 64 kB from a page that is closed

/** What went wrong with a request, in the server's words; status 0 if it did not answer. */
export class WireError extends Error {
  constructor(status, answer) {
    super(answer.error ?? String(status));
    this.status = status;
    this.answer = answer;
  }
}

/** Return the wire of a store. */
export function createWire(store) {
  const tab = crypto.randomUUID?.() ?? String(Math.random());
  const listeners = new Map();
  const places = new Map();
  let toasts = 0;

  const toast = (text, sort = "error") => {
    const id = ++toasts;
    store.toasts.value = [
      ...store.toasts.value.filter((one) => one.text !== text),
      { id, text, sort },
    ];
    setTimeout(() => {
      store.toasts.value = store.toasts.value.filter((one) => one.id !== id);
    }, 7000);
  };
  const request = async (path, options) => {
    const response = await fetch(path, options).catch(() => {
      throw new WireError(0, { error: t("status.offline") });
    });
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new WireError(response.status, answer);
    return answer;
  };
  const get = (path, query = {}) => {
    const words = new URLSearchParams(query).toString();
    return request(words ? `${path}?${words}` : path);
  };
  const post = (path, content) => {
    const body = JSON.stringify(content);
    const headers = { "Content-Type": "application/json" };
    // Sent also if the page is closed meanwhile.
    return request(path, { method: "POST", headers, body, keepalive: body.length < MOST_KEPT });
  };
  const said = (promise) =>
    promise.catch((error) => {
      toast(error.message);
      throw error;
    });
  const reading = new Map();
  const rereading = createRereading(
    store,
    (kind) => rows(kind),
    (kind) => reading.has(kind),
  );
  const outbox = createOutbox(store, tab, post, toast, rereading);
  window.addEventListener("pagehide", outbox.leave);
  document.addEventListener("visibilitychange", () => document.hidden && outbox.leave());

  const rows = async (kind) => {
    const turn = (reading.get(kind) ?? 0) + 1;
    reading.set(kind, turn);
    const edits = outbox.count();
    const read = async (query) => {
      const answer = await get("/api/rows", { kind, ...query });
      // What was typed since is newer than this answer.
      if (reading.get(kind) === turn && outbox.count() === edits && outbox.isEmpty()) {
        store.rows(kind).value = answer.rows;
      }
      return answer.early;
    };
    if (await read({})) read({ checked: "" }).catch(() => {});
  };
  const on = (type, hear) => {
    const hearing = listeners.get(type) ?? new Set();
    listeners.set(type, hearing.add(hear));
    return () => hearing.delete(hear);
  };
  const heard = (event) => {
    for (const hear of listeners.get(event.type) ?? []) hear(event);
  };
  let shown = "";
  let toShow = null;
  const show = (keys) => {
    if (toShow === null) {
      setTimeout(() => {
        const faces = toShow;
        toShow = null;
        if (faces.join() === shown) return;
        shown = faces.join();
        post("/api/show", { tab, faces }).catch(() => (shown = ""));
      }, SHOW_EVERY);
    }
    toShow = keys;
  };
  const edit = (step) => outbox.send(step);
  const turn = async (path) => {
    await outbox.settled();
    const answer = await said(post(path, { tab }));
    store.sent.value = Math.max(store.sent.value, answer.number);
    rereading.now();
    return answer;
  };

  return {
    tab,
    connect: () => createEvents(store, tab, { heard, rereading, refresh: () => (shown = "") }),
    get,
    post,
    edit,
    set: (row, path, value, label) =>
      edit({
        label,
        join: [row.file, ...row.path, ...path].join("/"),
        edits: [{ file: row.file, changes: [settingIn(row, path, value)] }],
      }),
    hold: outbox.hold,
    release: outbox.release,
    undo: () => turn("/api/undo"),
    redo: () => turn("/api/redo"),
    show,
    rows,
    picture: (sha, width) => `/api/picture/${sha}?w=${steps(width)}`,
    asset: (file, width) => {
      const scaled = width ? { w: steps(width) } : {};
      return `/api/asset?${new URLSearchParams({ path: file, ...scaled })}`;
    },
    places: (key, sha) => {
      if (places.get(key)?.sha !== sha) {
        places.set(key, { sha, found: get("/api/face", { key }) });
        places.get(key).found.catch(() => places.delete(key));
      }
      return places.get(key).found;
    },
    icon: (name) => `/api/asset?${new URLSearchParams({ icon: name })}`,
    send: (path, query, body) =>
      request(`${path}?${new URLSearchParams(query)}`, { method: "POST", body }),
    upload: (file, sort) => {
      const query = new URLSearchParams({ name: file.name, sort });
      return said(request(`/api/upload?${query}`, { method: "POST", body: file }));
    },
    on,
    toast,
  };
}

/** Return the width to ask for, in device pixels. */
function steps(width) {
  return Math.max(STEP, Math.ceil((width * (window.devicePixelRatio || 1)) / STEP) * STEP);
}
