import { AppError } from '#shared/errors.ts'

export type AudioFormat = 'mp3' | 'm4a' | 'wav'
/** Reads up to `length` bytes at a position; fewer at the end of the file. */
export type ReadBytes = (from: number, length: number) => Promise<Buffer>

const refused = (message = 'A recording can be an MP3, M4A or WAV file') =>
  new AppError('unsupported_file', { message })
const incomplete = () => refused('This file is incomplete. Export it again, then upload the new file.')

/**
 * Detects the format of a recording and its length from its content, and skips tags. Reads a few bytes at a time, so that
 * no file takes much memory, whatever its headers say.
 * @throws AppError unsupported_file for anything but MP3, M4A and WAV, for video, and for files that end too early
 */
export async function readAudio(read: ReadBytes, size: number): Promise<{ format: AudioFormat; seconds: number }> {
  const head = (await read(0, 12)).toString('latin1')
  const format = /^RIFF....WAVE/s.test(head) ? 'wav' : head.slice(4, 8) === 'ftyp' ? 'm4a' : 'mp3'
  const seconds = await { wav: wavSeconds, m4a: m4aSeconds, mp3: mp3Seconds }[format](read, size)
  if (!(seconds > 0 && Number.isFinite(seconds))) throw incomplete()
  return { format, seconds }
}

/** Boxes or chunks read per file. A recording has about twenty. */
const maxBoxes = 2_000
/** Sample formats that browsers play: integers, floating point, and either with extra fields. */
const pcmTags: readonly number[] = [1, 3, 0xfffe]

async function wavSeconds(read: ReadBytes, size: number): Promise<number> {
  let bytesPerSecond = 0
  for (let at = 12, count = 0; at + 8 <= size && count < maxBoxes; count += 1) {
    const chunk = await read(at, 20)
    const type = chunk.toString('latin1', 0, 4)
    const length = chunk.readUInt32LE(4)
    if (type === 'fmt ' && chunk.length === 20) {
      if (!pcmTags.includes(chunk.readUInt16LE(8))) throw refused()
      bytesPerSecond = chunk.readUInt32LE(16)
    }
    // Programs that write to a pipe can't fill in the length.
    const bytes = type === 'data' && (length === 0 || length === 0xffff_ffff) ? size - at - 8 : length
    if (at + 8 + bytes > size) break
    if (type === 'data') return bytes / bytesPerSecond
    at += 8 + bytes + (bytes % 2)
  }
  throw incomplete()
}

type Box = { type: string; from: number; to: number }
const soundCodecs: readonly string[] = ['mp4a', 'alac']
/** Codecs of the video track that chapter images are stored in. */
const pictureCodecs: readonly string[] = ['jpeg', 'png ', 'mjpg']

async function m4aSeconds(read: ReadBytes, size: number): Promise<number> {
  let count = 0
  const boxesIn = async ({ from, to }: Box): Promise<Box[]> => {
    const boxes: Box[] = []
    for (let at = from; at + 8 <= to; at = boxes.at(-1)?.to ?? to) {
      const head = await read(at, 16)
      const [short, isLong] = [head.readUInt32BE(0), head.readUInt32BE(0) === 1 && head.length === 16]
      const length = isLong ? Number(head.readBigUInt64BE(8)) : short || to - at
      count += 1
      if (at + length > size) throw incomplete()
      if (length < 8 || at + length > to || count > maxBoxes) throw refused()
      boxes.push({ type: head.toString('latin1', 4, 8), from: at + (isLong ? 16 : 8), to: at + length })
    }
    return boxes
  }
  const find = async (box: Box, ...types: string[]): Promise<Box> => {
    const [type, ...inner] = types
    const found = (await boxesIn(box)).find((each) => each.type === type)
    if (!found) throw incomplete()
    return inner.length > 0 ? find(found, ...inner) : found
  }
  const text = async (at: number) => (await read(at, 4)).toString('latin1')
  let seconds = 0
  const boxes = await boxesIn(await find({ type: '', from: 0, to: size }, 'moov'))
  const hasFragments = boxes.some(({ type }) => type === 'mvex')
  for (const track of boxes) {
    const media = track.type === 'trak' && (await find(track, 'mdia'))
    const kind = media && (await text((await find(media, 'hdlr')).from + 8))
    if (!media || (kind !== 'soun' && kind !== 'vide')) continue
    const codec = await text((await find(media, 'minf', 'stbl', 'stsd')).from + 12)
    if (kind === 'vide' && !pictureCodecs.includes(codec))
      throw refused('This is a video. Export its audio as MP3, M4A or WAV, then upload that.')
    if (kind === 'vide') continue
    if (!soundCodecs.includes(codec)) throw refused()
    if (hasFragments)
      throw refused('This M4A was saved as a stream. Convert it to MP3 or a regular M4A, then upload that.')
    const facts = await read((await find(media, 'mdhd')).from, 32)
    if (facts.length < 32) throw incomplete()
    const length = facts[0] === 1 ? Number(facts.readBigUInt64BE(24)) : facts.readUInt32BE(16)
    seconds = Math.max(seconds, length / facts.readUInt32BE(facts[0] === 1 ? 20 : 12))
  }
  return seconds
}

/** Kilobits per second by the index in the header of a frame: MPEG 1, then MPEG 2 and 2.5. */
const bitRates = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const
const sampleRates = [44_100, 48_000, 32_000] as const
/** Bytes skipped between two frames, such as a broken frame. */
const maxGapBytes = 64 * 1024

/** A frame of MPEG layer III by its header; null for anything else. */
function frameOf(head: Buffer): { bytes: number; seconds: number } | null {
  const [first = 0, second = 0, third = 0] = head
  const version = (second >> 3) & 3
  const kilobits = bitRates[version === 3 ? 0 : 1][third >> 4]
  const full = sampleRates[(third >> 2) & 3]
  if (head.length < 4 || first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1 || !kilobits || !full) return null
  const rate = full / (version === 3 ? 1 : version === 2 ? 2 : 4)
  const samples = version === 3 ? 1152 : 576
  return { bytes: Math.floor((samples * 125 * kilobits) / rate) + ((third >> 1) & 1), seconds: samples / rate }
}

/** Counts the frames, since the header with their number is optional and can be wrong. */
async function mp3Seconds(read: ReadBytes, size: number): Promise<number> {
  let start = 0
  for (let head = await read(0, 10); /^ID3.{7}/s.test(head.toString('latin1')); head = await read(start, 10))
    start += 10 + head.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 127), 0)
  const isFrame = async (at: number) => {
    const frame = frameOf(await read(at, 4))
    return frame !== null && (at + frame.bytes >= size || frameOf(await read(at + frame.bytes, 4)) !== null)
  }
  let [seconds, frames, sound, announced] = [0, 0, 0, 0]
  for (let [at, gap] = [start, 0]; at + 4 <= size && gap < maxGapBytes; ) {
    const frame = gap > 0 && !(await isFrame(at)) ? null : frameOf(await read(at, 4))
    if (frame && frames === 0) announced = announcedFrames(await read(at, 200))
    seconds += frame?.seconds ?? 0
    sound += frame?.bytes ?? 0
    frames += frame ? 1 : 0
    gap = frame ? 0 : gap + 1
    at += frame?.bytes ?? 1
  }
  if (sound < (size - start) / 2) throw start >= size ? incomplete() : refused()
  if (frames < announced * 0.99) throw incomplete()
  return seconds
}

/** The number of frames that the encoder wrote into the first one; 0 if it didn't. */
function announcedFrames(first: Buffer): number {
  const at = Math.max(first.indexOf('Xing'), first.indexOf('Info'))
  return at > 0 && first.length >= at + 12 && (first[at + 7] ?? 0) & 1 ? first.readUInt32BE(at + 8) : 0
}
