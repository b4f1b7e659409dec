import { outdatedOf } from './caches.ts'
import { keepAll } from './installing.ts'

/** What a service worker has, as far as this one uses it. */
interface ServiceWorkerScope {
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  clients: { claim(): Promise<void> }
}
interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent {
  request: Request
  respondWith(answer: Promise<Response>): void
}

// The build puts both in.
declare const __FILES__: string[]
declare const __VERSION__: string

const worker = self as unknown as ServiceWorkerScope
const PAGE = './'

/** Keeps an app on the device, so that it starts without a network. The API is never kept. `app` begins the names of its caches. */
export function keepOnDevice(app: string): void {
  const prefix = `${app}-`
  const cacheName = `${prefix}${__VERSION__}`
  worker.addEventListener('install', (event) => {
    const files = __FILES__.map((file) => (file === 'index.html' ? PAGE : file))
    event.waitUntil(caches.open(cacheName).then((cache) => keepAll(cache, files)))
  })
  // Comes when all files are kept, and not before.
  worker.addEventListener('activate', (event) => {
    event.waitUntil(removeOthers(prefix, cacheName).then(() => worker.clients.claim()))
  })
  worker.addEventListener('fetch', (event) => {
    const { request } = event
    const isPage = request.mode === 'navigate'
    if (request.method !== 'GET' || !(isPage || isOfApp(request.url))) return
    event.respondWith(
      caches
        .open(cacheName)
        .then((cache) => cache.match(isPage ? PAGE : request))
        .then((kept) => kept ?? fetch(request)),
    )
  })
}

function isOfApp(url: string): boolean {
  return url.startsWith(new URL('./', location.href).href)
}

async function removeOthers(prefix: string, current: string): Promise<void> {
  const names = await caches.keys()
  await Promise.all(outdatedOf(names, prefix, current).map((name) => caches.delete(name)))
}
