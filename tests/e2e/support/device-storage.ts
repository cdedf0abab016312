import { expect, type Page } from '@playwright/test'

/** All rows of the origin's IndexedDB, as one text. */
const readDatabases = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const found: unknown[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      for (const store of db.objectStoreNames) {
        const rows = await new Promise<unknown[]>((resolve, reject) => {
          const request = db.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
        found.push(name, store, rows)
      }
      db.close()
    }
    return JSON.stringify(found, (_key, value: unknown) => (value instanceof Map ? [...value] : value))
  })

/** Everything that the page's origin keeps on the device: local and session storage, IndexedDB and caches, as one text. */
export async function readDeviceStorage(page: Page): Promise<string> {
  const stored = await page.evaluate(async () => {
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const response = await cache.match(request)
        found.push(name, request.url, await response?.text())
      }
    }
    return JSON.stringify(found)
  })
  return stored + (await readDatabases(page))
}

/** Waits until the worker serves the app and the library is stored. */
export async function expectReadyOffline(page: Page) {
  await expect
    .poll(
      () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration()
          return registration?.active?.state === 'activated' && localStorage.getItem('front-counter:offline-library')
        }),
      { timeout: 60_000 },
    )
    .toBe('stored')
}

/** Makes the stored library one that another release of the app stored. */
export const ageLibrary = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('front-counter')
        request.onerror = () => reject(request.error)
        request.onsuccess = () => {
          const tx = request.result.transaction('libraries', 'readwrite')
          const store = tx.objectStore('libraries')
          const rows = store.getAll()
          rows.onsuccess = () => {
            for (const row of rows.result as object[]) store.put({ ...row, release: '/assets/index-older.js' })
          }
          tx.oncomplete = () => {
            request.result.close()
            resolve()
          }
        }
      }),
  )

/** Adds an unsent change to the database, as version 0.4 did. */
export const storeEarlierChange = (page: Page, change: { userId: string; name: string; input: object }) =>
  page.evaluate(async (added) => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('front-counter')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    await new Promise<void>((resolve, reject) => {
      const tx = db.transaction('changes', 'readwrite')
      tx.objectStore('changes').add({ ...added, label: null, key: null })
      tx.oncomplete = () => resolve()
      tx.onerror = () => reject(tx.error)
    })
    db.close()
  }, change)
