import { createHmac, randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits, also for secrets. 22 characters have 128 bits. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += letters[randomInt(letters.length)]
  return text
}

/** Generates the random part of ids, at most 64 characters each. */
export type IdSource = (length: number) => string

/** Generates the same ids for the same seed if the same requests happen in the same order. */
export const seededIds =
  (seed: string, draw: () => number): IdSource =>
  (length) => {
    const bytes = createHmac('sha512', seed).update(String(draw())).digest()
    return [...bytes.subarray(0, length)].map((byte) => letters[byte % letters.length]).join('')
  }

let current: IdSource = randomText

/** Uses this source for ids while `work` runs. It is synchronous, so other sandboxes can't interfere. */
export function takingIdsFrom<T>(source: IdSource, work: () => T): T {
  const before = current
  current = source
  try {
    return work()
  } finally {
    current = before
  }
}

/** Random text that isn't secret: ids, codes, prefixes. */
export const idText = (length: number): string => current(length)

/** A new id such as `cus_Zk3…`. Ids are opaque. */
export const newId = (prefix: string): string => `${prefix}_${idText(24)}`
