/** Bytes of a file from `from`, up to and without `to`. */
export type ByteRange = { from: number; to: number }

type RangeHeaders = { range: string | undefined; ifRange: string | undefined; etag: string }

/**
 * The bytes that a GET request asks for, after RFC 9110. Null for the whole file: without a range, for several ranges or
 * one that isn't valid, and if the file has changed since. `unsatisfiable` if the range begins after the end.
 */
export function chooseRange(size: number, { range, ifRange, etag }: RangeHeaders): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range ?? '') ?? []
  if ((first === '' && last === '') || (ifRange !== undefined && ifRange !== etag)) return null
  const isEnd = first === ''
  const from = isEnd ? Math.max(0, size - Number(last)) : Number(first)
  const to = isEnd || last === '' ? size : Math.min(size, Number(last) + 1)
  if (!isEnd && last !== '' && Number(last) < Number(first)) return null
  return from >= size ? 'unsatisfiable' : { from, to }
}
