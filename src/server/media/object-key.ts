/** Images are public by URL; guide files are not. */
export const imageKey = (hash: string, extension: string) => `images/${hash}.${extension}`
export const guideKey = (hash: string) => `guides/${hash}`

/** Part of a large file, such as an archive, that is kept for a day. */
export const partKey = (id: string, part: number) => `parts/${id}-${part}`

/** A photo that someone without an account sent with a task. */
export const photoKey = (id: string) => `photos/${id}`

/** Piece of a drop's recording. */
export const recordingKey = (id: string, piece: number) => `recordings/${id}-${piece}`

/** Rejects every other key, so that no request can reach another path. */
export function checkKey(key: string): string {
  if (
    !/^(images\/[0-9a-f]{64}\.[a-z]{3,4}|guides\/[0-9a-f]{64}|(?:parts|recordings)\/[0-9a-f-]{36}-\d{1,5}|photos\/[0-9a-f-]{36})$/.test(
      key,
    )
  )
    throw new Error(`Not a key: ${key}`)
  return key
}
