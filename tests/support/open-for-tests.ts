import { afterAll, beforeAll } from 'vitest'

/**
 * Opens a resource that all tests of a file share, such as a database, before the first test and closes it after the last.
 * Returns a proxy, so it can be called at the top of a file. Use the proxy only in tests and hooks.
 */
export function openForTests<T extends { close(): Promise<unknown> }>(open: () => Promise<T>): T {
  let opened: T | undefined
  const present = (): T => {
    if (!opened) throw new Error('Not open yet. Use it in tests and hooks only.')
    return opened
  }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened?.close())
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(present(), name),
    set: (_, name, value) => Reflect.set(present(), name, value),
    has: (_, name) => Reflect.has(present(), name),
    ownKeys: () => Reflect.ownKeys(present()),
    getOwnPropertyDescriptor: (_, name) => ({
      ...Reflect.getOwnPropertyDescriptor(present(), name),
      configurable: true,
    }),
  })
}
