"use strict";
// The page works without a network after its first visit: all files of one version are kept together. A new version is
// fetched beside it and serves from the next visit on.
const VERSION = "lanescope @VERSION@", FILES = ["./", @NAMES@];

self.addEventListener("install", event => event.waitUntil(
  caches.open(VERSION).then(cache => cache.addAll(FILES.map(file => new Request(file, { cache: "no-cache" }))))));

self.addEventListener("activate", event => event.waitUntil((async () => {
  for (const name of await caches.keys())
    if (name.startsWith("lanescope ") && name !== VERSION)
      await caches.delete(name);
  await self.clients.claim();
})()));

self.addEventListener("fetch", event => {
  if (event.request.method === "GET")
    event.respondWith(caches.open(VERSION).then(cache => cache.match(event.request, { ignoreSearch: true }))
      .then(kept => kept || fetch(event.request)));
});
