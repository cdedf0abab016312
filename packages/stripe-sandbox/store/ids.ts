import { createHmac, randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random text from letters and digits; 22 characters carry 128 bits. Secrets always come from here. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += letters[randomInt(letters.length)]
  return text
}

/** Gives the texts that ids are made of, at most 64 characters each. */
export type IdSource = (length: number) => string

/** The same ids again for the same seed, as long as the same things happen in the same order. */
export const seededIds =
  (seed: string, draw: () => number): IdSource =>
  (length) => {
    const bytes = createHmac('sha512', seed).update(String(draw())).digest()
    return [...bytes.subarray(0, length)].map((byte) => letters[byte % letters.length]).join('')
  }

let current: IdSource = randomText

/** Takes ids from this source while `work` runs. Work is synchronous, so that no other sandbox can come in between. */
export function takingIdsFrom<T>(source: IdSource, work: () => T): T {
  const before = current
  current = source
  try {
    return work()
  } finally {
    current = before
  }
}

/** Text that nobody has to keep secret: ids, codes, prefixes. */
export const idText = (length: number): string => current(length)

/** A new id such as `cus_Zk3…`; ids are opaque, nothing may be read out of them. */
export const newId = (prefix: string): string => `${prefix}_${idText(24)}`
