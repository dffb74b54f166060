// The service worker: a visitor who has been here once can read every page,
// and search, without a connection. Files whose names carry their hash never
// change and come from the cache. A page read within the last hour is shown at
// once and asked for anew behind the reader's back; other pages, and the list
// of versions always, come from the network while there is one. It touches no
// cache but its own.
"use strict";

const base = "{{base}}";
const prefix = "marketing-skills " + base + " ";
const name = prefix + "{{version}}";
const { pages, immutable, ahead } = {{files}};

self.addEventListener("install", (event) => {
  event.waitUntil(self.skipWaiting());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const key of await caches.keys()) {
      if (key.startsWith(prefix) && key !== name) await caches.delete(key);
    }
    await self.clients.claim();
    await fill();
  })());
});

// fill fetches what is not yet kept, one file after the other. What fails is
// tried again on the next visit.
let filled = false;
async function fill() {
  if (filled) return;
  filled = true;
  const cache = await caches.open(name);
  for (const file of [...pages, ...ahead]) {
    const address = base + (file === "404.html" ? file : file.replace(/index\.html$/, ""));
    try {
      if (await cache.match(address)) continue;
      // Pages are asked for anew: a copy of the last release may be about.
      const response = await fetch(address, { cache: immutable.includes(file) ? "default" : "reload" });
      if (response.ok) await keep(cache, address, response);
    } catch {
      filled = false;
    }
  }
}

// keep stores a response without the mark of a redirect, which a browser
// would refuse to show as a page.
async function keep(cache, address, response) {
  const body = await response.blob();
  await cache.put(address, new Response(body, { status: 200, headers: response.headers }));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(base) || url.pathname.startsWith(base + "api/")) return;
  const file = url.pathname.slice(base.length);
  const answer = immutable.includes(file) ? kept(request) : file.endsWith(".md") ? fresh(request, url) : soon(event, request, url);
  event.respondWith(answer);
  if (request.mode === "navigate") event.waitUntil(fill());
});

const hour = 60 * 60 * 1000;

// soon answers with a page that was read within the hour, and otherwise with
// what the network has.
async function soon(event, request, url) {
  const found = await (await caches.open(name)).match(url.pathname.replace(/index\.html$/, ""));
  const age = found && Math.abs(Date.now() - Date.parse(found.headers.get("date")));
  const anew = fresh(request, url);
  if (!(age < hour)) return anew;
  event.waitUntil(anew.catch(() => {}));
  return found;
}

async function kept(request) {
  const cache = await caches.open(name);
  const found = await cache.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

async function fresh(request, url) {
  const cache = await caches.open(name);
  const address = url.pathname.replace(/index\.html$/, "");
  try {
    const response = await fetch(request);
    if (response.ok && response.type === "basic" && pages.includes(address.slice(base.length))) await keep(cache, address, response.clone());
    return response;
  } catch (error) {
    const found = await cache.match(address) || request.mode === "navigate" && await cache.match(base + "404.html");
    if (found) return found;
    throw error;
  }
}
