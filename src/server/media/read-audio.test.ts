import fc from 'fast-check'
import { parseBuffer } from 'music-metadata'
import { describe, expect, test } from 'vitest'
import { id3, m4a, mp3, wav } from '#tests/support/test-audio.ts'
import { readAudio } from './read-audio.ts'

const read = (file: Buffer) => readAudio(async (from, length) => file.subarray(from, from + length), file.length)
const refusal = (file: Buffer) => read(file).then(String, (error: Error) => error.message)

describe('a recording', () => {
  test.each([
    ['wav', wav(7), 7],
    ['mp3', mp3(90), 90],
    ['mp3', mp3(90, { tags: id3('<script>alert(1)</script>') }), 90],
    ['m4a', m4a(3_725), 3_725],
  ] as const)('%s: its length', async (format, file, seconds) => {
    const facts = await read(file)
    expect(facts.format).toBe(format)
    expect(facts.seconds).toBeCloseTo(seconds, 1)
  })

  test.each([
    ['wav', wav(7)],
    ['mp3', mp3(90)],
  ] as const)('%s: as another reader says', async (_, file) => {
    const { format } = await parseBuffer(file, undefined, { duration: true })
    expect((await read(file)).seconds).toBeCloseTo(format.duration ?? 0, 1)
  })

  test('an image of the tags isn’t part of it, nor is what follows the sound', async () => {
    const tags = Buffer.concat([id3('x'.repeat(100_000)), id3('y')])
    const file = Buffer.concat([mp3(60, { tags }), Buffer.from('TAG'), Buffer.alloc(125)])
    expect((await read(file)).seconds).toBeCloseTo(60, 1)
  })
})

describe('anything but a recording is refused', () => {
  const formats = 'A recording can be an MP3, M4A or WAV file'
  const early = 'This file is incomplete. Export it again, then upload the new file.'
  test.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(100)), formats],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), formats],
    ['nothing', Buffer.alloc(0), early],
    ['a tag without sound', id3('x'), early],
    ['a video named like a recording', m4a(60, { video: true }), /^This is a video/],
    ['an M4A in fragments', m4a(0, { isStream: true }), /^This M4A was saved as a stream/],
    ['a WAV that ends early', wav(5, { claimed: 60 }), early],
    ['an M4A that ends early', m4a(60).subarray(0, 1_500), early],
    ['an M4A without its index', m4a(60).subarray(0, 2_024), early],
    ['an MP3 that ends early', mp3(30, { announced: 2_500 }), early],
    ['a compressed WAV', Buffer.from(wav(5).fill(85, 20, 21)), formats],
  ])('%s', async (_, file, message) => expect(await refusal(file)).toMatch(message))

  test('random bytes give a format or an error, and never a crash', async () => {
    const starts = [wav(1), m4a(10), mp3(2)].map((file) => file.subarray(0, 400))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.uint8Array({ maxLength: 300 }),
        fc.nat(400),
        async (start, bytes, at) => {
          const file = Buffer.concat([start.subarray(0, at), bytes, start.subarray(at)])
          const answer = await read(file).then(
            ({ format }) => format,
            (error: { code?: string }) => error.code,
          )
          expect(answer).toMatch(/^(unsupported_file|wav|m4a|mp3)$/)
        },
      ),
    )
  })
})
