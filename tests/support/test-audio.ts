/** Recordings made of bytes: silence with the headers of its format. */

/** 8 kHz, 8 bits, one channel: 8,000 bytes a second. `claimed`: the length that the header says, if not the real one. */
export function wav(seconds: number, { claimed = seconds }: { claimed?: number } = {}): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + claimed * 8_000, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(8_000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(claimed * 8_000, 40)
  return Buffer.concat([header, Buffer.alloc(seconds * 8_000, 128)])
}

/** MPEG 2 layer III, 8 kbit/s, 16 kHz, mono: frames of 36 bytes and 36 ms. `announced`: how many the first frame claims. */
export function mp3(
  seconds: number,
  { announced, tags = Buffer.alloc(0) }: { announced?: number; tags?: Buffer } = {},
) {
  const frame = Buffer.alloc(36)
  Buffer.from([0xff, 0xf3, 0x18, 0xc4]).copy(frame)
  const first = Buffer.from(frame)
  const count = Math.round(seconds / 0.036)
  first.write('Info', 13, 'latin1')
  first.writeUInt32BE(1, 17)
  first.writeUInt32BE(announced ?? count, 21)
  return Buffer.concat([tags, first, Buffer.alloc(36 * (count - 1), frame)])
}

/** An ID3v2 tag with one text. */
export function id3(text: string): Buffer {
  const value = Buffer.concat([Buffer.from([3]), Buffer.from(text)])
  const size = 10 + value.length
  const sizes = Buffer.alloc(4)
  sizes.writeUInt32BE(value.length)
  return Buffer.concat([
    Buffer.from('ID3\x04\x00\x00', 'latin1'),
    Buffer.from([(size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127]),
    Buffer.from('TIT2', 'latin1'),
    sizes,
    Buffer.alloc(2),
    value,
  ])
}

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}
const words = (...values: number[]) => {
  const buffer = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4)
  return buffer
}

function track(kind: 'soun' | 'vide', codec: string, seconds: number) {
  const handler = Buffer.concat([words(0, 0), Buffer.from(kind, 'latin1'), Buffer.alloc(13)])
  const samples = box('stbl', box('stsd', words(0, 1, 16), Buffer.from(codec, 'latin1'), Buffer.alloc(8)))
  return box(
    'trak',
    box(
      'mdia',
      box('mdhd', words(0, 0, 0, 1_000, seconds * 1_000, 0, 0, 0)),
      box('hdlr', handler),
      box('minf', samples),
    ),
  )
}

/**
 * MPEG-4 with an AAC track and, for a video, one of H.264. The index is behind the sound, as recorders write it. `padding`: bytes
 * at the end.
 */
export const m4a = (seconds: number, { video = false, isStream = false, padding = 0 } = {}): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('M4A \0\0\0\0', 'latin1')),
    box('mdat', Buffer.alloc(2_000)),
    box(
      'moov',
      ...(video ? [track('vide', 'avc1', seconds)] : []),
      track('soun', 'mp4a', seconds),
      ...(isStream ? [box('mvex')] : []),
    ),
    box('free', Buffer.alloc(padding)),
  ])
