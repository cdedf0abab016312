import { afterAll, beforeAll } from 'vitest'

/**
 * What all tests of a file share, such as a server or a database: opened before the first and closed after the last.
 * What it answers stands for the opened thing, so it can be named at the head of a file and used once tests run.
 */
export function openForTests<T extends { close(): Promise<unknown> }>(open: () => Promise<T>): T {
  let opened: T | undefined
  const present = (): T => {
    if (!opened) throw new Error('Not open yet: use it in tests and hooks, not at the head of the file.')
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
