/** The two shelves of the store: pictures are for everybody who has their address, the files of guides are not. */
export const imageKey = (hash: string, extension: string) => `images/${hash}.${extension}`
export const guideKey = (hash: string) => `guides/${hash}`

/** Whatever a caller makes of a request: no other path is ever touched. */
export function checkKey(key: string): string {
  if (!/^(images\/[0-9a-f]{64}\.[a-z]{3,4}|guides\/[0-9a-f]{64})$/.test(key)) throw new Error(`Not a key: ${key}`)
  return key
}
