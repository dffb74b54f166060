// The service worker: what a visitor has read opens again without a
// connection, at once when the server is slow, and so does everything after
// "Save all pages for offline use". Nothing else is fetched that nobody asked
// for, but for the catalog. It touches no cache but its own.
"use strict";

const base = "{{base}}";
const cacheName = "marketing-skills " + base;
// The pages of this release by their paths below base, and the files whose
// names carry their hash and so never change.
const { pages, immutable } = {{files}};

// A page read within the hour is shown at once. An older one, one that is
// reloaded, and the list of versions are asked of the network first, for so
// many milliseconds.
const hour = 60 * 60 * 1000;
const patience = { page: 100, list: 2000 };

self.addEventListener("install", (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    // Earlier releases had a cache each.
    for (const key of await caches.keys()) {
      if (key.startsWith(cacheName + " ")) await caches.delete(key);
    }
    const cache = await caches.open(cacheName);
    for (const request of await cache.keys()) {
      const path = new URL(request.url).pathname;
      const known = isPage(path) || isImmutable(path);
      if (!known || !fits(path, await cache.match(request))) await cache.delete(request);
    }
    await self.clients.claim();
  })());
});

const isPage = (path) => pages.includes(path.slice(base.length));
const isImmutable = (path) => immutable.includes(path.slice(base.length));

// What is kept is the whole of what a path should have: a host may answer with
// a part of a file, or with a page of its own in its place.
function fits(path, response) {
  const html = /^text\/html\b/i.test(response.headers.get("content-type"));
  return response.status === 200 && !response.headers.has("content-range") && html === /(\/|\.html)$/.test(path);
}

const isNew = (response) => Math.abs(Date.now() - Date.parse(response.headers.get("date"))) < hour;

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(base)) return;
  const path = url.pathname.replace(/index\.html$/, "");
  if (isImmutable(path)) event.respondWith(unchanging(event, request, path));
  else if (isPage(path)) event.respondWith(page(event, request, path));
  else if (request.mode === "navigate") event.respondWith(unknown(request));
});

async function unchanging(event, request, path) {
  const found = await kept(path);
  if (found) return found;
  const response = await fetch(request);
  if (fits(path, response)) event.waitUntil(keep(path, response.clone()));
  return response;
}

async function page(event, request, path) {
  const found = await kept(path);
  const arriving = fetch(request).then((response) => {
    if (fits(path, response) && response.type === "basic") event.waitUntil(keep(path, response.clone()));
    return found && response.status >= 500 ? found : response;
  });
  if (!found || request.cache === "reload") return arriving;
  event.waitUntil(arriving.catch(() => {}));
  const most = path.endsWith(".md") ? patience.list : patience.page;
  if (isNew(found) && request.cache === "default" && !path.endsWith(".md")) return found;
  const later = new Promise((resolve) => setTimeout(resolve, most, found));
  return Promise.race([arriving.catch(() => found), later]);
}

async function unknown(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await kept(base + "404.html");
    if (found) return found;
    throw error;
  }
}

// kept and keep never fail: what the browser cannot store or find is as if it
// had not been kept, and the visitor gets what the network has.
async function kept(path) {
  try {
    return await (await caches.open(cacheName)).match(path);
  } catch {
    return undefined;
  }
}

// A response is stored without the mark of a redirect, which a browser would
// refuse to show as a page.
async function keep(path, response) {
  try {
    const body = await response.blob();
    const cache = await caches.open(cacheName);
    await cache.put(path, new Response(body, { status: 200, headers: response.headers }));
    return true;
  } catch {
    return false;
  }
}

// A page asks to keep what it consists of, which the browser has already, or
// everything there is.
self.addEventListener("message", (event) => {
  if (event.data.keep) event.waitUntil(keepAll(event.data.keep.filter((path) => isPage(path) || isImmutable(path))));
  if (event.data.everything) event.waitUntil(keepEverything(event.source));
  if (event.data.stop && saving) saving.stopped = true;
});

async function keepAll(paths) {
  for (const path of paths) {
    if (!(await kept(path))) await fetchAndKeep(path, "force-cache");
  }
}

// What is being saved now, for the page that asked last. It can be stopped;
// who asks again goes on where that was.
let saving = null;

async function keepEverything(client) {
  if (saving) {
    saving.client = client;
    return;
  }
  const run = saving = { client, stopped: false };
  const paths = [...immutable, ...pages].map((file) => base + file);
  const progress = { done: 0, failed: 0, total: paths.length };
  for (const path of paths) {
    if (run.stopped) break;
    // What never changes need not be asked for again; of pages, the latest.
    const found = await kept(path);
    if (!(found && (isImmutable(path) || isNew(found))) && !(await fetchAndKeep(path, isImmutable(path) ? "default" : "no-cache"))) progress.failed++;
    progress.done++;
    run.client.postMessage({ ...progress, ended: progress.done === progress.total });
  }
  saving = null;
  if (run.stopped) run.client.postMessage({ ...progress, ended: true });
}

async function fetchAndKeep(path, cache) {
  try {
    const response = await fetch(path, { cache });
    return fits(path, response) && keep(path, response);
  } catch {
    return false;
  }
}
