import { randomInt } from 'node:crypto'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random text from letters and digits; 22 characters carry 128 bits. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) text += letters[randomInt(letters.length)]
  return text
}

/** A new id such as `cus_Zk3…`; ids are opaque, nothing may be read out of them. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`
