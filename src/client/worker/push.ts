declare const self: ServiceWorkerGlobalScope

type Note = { title: string; body: string; path: string; tag: string }

/** Shows what a push message says, and opens its page on a tap: in an open tab if there is one. */
export function listenToPush() {
  self.addEventListener('push', (event) => {
    if (!event.data) return
    const { title, body, path, tag } = event.data.json() as Note
    event.waitUntil(self.registration.showNotification(title, { body, tag, data: path, icon: '/app-icon-192.png' }))
  })
  self.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(openPage(String(event.notification.data)))
  })
}

async function openPage(path: string) {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const [tab] = tabs.toSorted((a, b) => Number(b.focused) - Number(a.focused))
  if (!tab) return self.clients.openWindow(path)
  await tab.focus()
  // A tab that the worker doesn't control can't be led elsewhere.
  return tab.navigate(path).catch(() => self.clients.openWindow(path))
}
