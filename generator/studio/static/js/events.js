/* Events of the server, written into the store. */
import { batch } from "../vendor/preact.js";
import { go, route, to } from "./route.js";

const AGAIN_AFTER = 1000; // ms

/** Open the events of a tab and keep them open. */
export function createEvents(store, tab, { heard, rereading, refresh }) {
  const hear = {
    hello: (event) => {
      greet(store, event);
      refresh();
      rereading.now();
    },
    pack: ({ number, model }) => {
      newest(store, number);
      store.model.value = model;
      if (model) checked(store, number);
    },
    found: ({ number, findings }) => {
      newest(store, number);
      const bySeverity = (one) => (one.severity === "error" ? 0 : 1);
      store.findings.value = [...findings].sort((a, b) => bySeverity(a) - bySeverity(b));
      if (number > 0 || findings.length > 0) checked(store, number);
    },
    faces: ({ number, faces, gone, done }) => {
      newest(store, number);
      for (const face of faces) store.face(face.key).value = face;
      for (const key of gone) store.face(key).value = null;
      store.looking.value = !done;
      if (done || faces.length > 0) checked(store, number);
    },
    file: ({ file, tab: whose }) => {
      store.files.value = new Map(store.files.value).set(file.path, file);
      if (whose === tab) rereading.soon(file.path);
      else rereading.now(file.path);
    },
    files: ({ files }) => {
      store.files.value = byPath(files);
    },
    undo: ({ undo }) => (store.undo.value = undo),
    save: ({ save, number }) => {
      store.save.value = save;
      store.savedAt.value = number;
    },
    worker: ({ worker }) => (store.worker.value = worker),
    job: ({ job }) => (store.jobs.value = new Map(store.jobs.value).set(job.id, job)),
  };
  let source = null;
  const open = () => {
    source = new EventSource(`/api/events?tab=${encodeURIComponent(tab)}`);
    source.onmessage = (message) => {
      const event = JSON.parse(message.data);
      batch(() => hear[event.type]?.(event));
      heard(event);
    };
    source.onerror = () => {
      store.online.value = false;
      if (source.readyState === EventSource.CLOSED) setTimeout(open, AGAIN_AFTER);
    };
  };
  open();
  window.addEventListener("pagehide", () => source.close());
}

/** Take what `hello` says; what was known of another pack goes. */
function greet(store, event) {
  if (store.pack.value !== event.pack || store.project.value?.folder !== event.project?.folder) {
    // The address names something of the other pack; the first one may be a link.
    if (store.pack.value) go(to(route.value.view), true);
    for (const face of store.faces.values()) face.value = null;
    store.faces.clear();
    store.rowsByKind.clear();
    store.model.value = null;
    store.findings.value = [];
    store.checked.value = -1;
    store.chosen.value = { kind: "", id: "" };
    store.query.value = "";
  }
  for (const name of ["project", "packs", "pack", "number", "undo", "save", "worker"]) {
    store[name].value = event[name];
  }
  store.savedAt.value = event.number;
  store.sent.value = 0; // another server counts anew
  if (store.checked.value > event.number) store.checked.value = -1;
  store.files.value = byPath(event.files);
  store.online.value = true;
}

function newest(store, number) {
  store.number.value = Math.max(store.number.value, number);
}

/** Note that a number is checked; findings are told only where they are others than before. */
function checked(store, number) {
  store.checked.value = Math.max(store.checked.value, number);
}

function byPath(files) {
  return new Map(files.map((file) => [file.path, file]));
}
