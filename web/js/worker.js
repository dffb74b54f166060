// The service worker: a visitor who has been here once can read every page
// without a connection. Pages and data come from the network while there is
// one; files whose address carries their hash never change and come from the
// cache. It touches no cache but its own.
"use strict";

const base = "{{base}}";
const prefix = "marketing-skills " + base + " ";
const name = prefix + "{{version}}";
const pages = {{pages}};

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(name);
    await Promise.allSettled([base, base + "404.html"].map((address) => cache.add(address)));
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const key of await caches.keys()) {
      if (key.startsWith(prefix) && key !== name) await caches.delete(key);
    }
    await self.clients.claim();
    fill();
  })());
});

// fill fetches the pages not yet kept, one after the other.
async function fill() {
  const cache = await caches.open(name);
  for (const page of pages) {
    const address = base + page;
    try {
      if (!await cache.match(address)) await cache.add(address);
    } catch {
      return;
    }
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(base) || url.pathname.startsWith(base + "api/")) return;
  event.respondWith(url.searchParams.has("v") ? kept(request) : fresh(request, url));
});

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
    if (response.ok && response.type === "basic") await cache.put(address, response.clone());
    return response;
  } catch (error) {
    const found = await cache.match(address) || request.mode === "navigate" && await cache.match(base + "404.html");
    if (found) return found;
    throw error;
  }
}
