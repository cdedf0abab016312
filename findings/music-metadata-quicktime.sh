#!/usr/bin/env bash
# music-metadata 12.1.0 finds no duration for sound in QuickTime files (.mov).
#
# A QuickTime file has two handler atoms in each track: one in the media atom, which says that the track is sound, and one in
# the media information atom, which says how the data is stored ("dhlr"; QuickTime File Format, "Handler reference atoms").
# The parser keeps the one that it reads last. The track is then neither sound nor video, so format.duration is missing,
# although trackInfo has the length. The same file without the second atom has both. ffmpeg and macOS write both atoms.
#
# Seen on 2026-11-30, Node 24:
#   with the data handler      duration undefined   track 10.0 s
#   without the data handler   duration 10.0        track 10.0 s
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent music-metadata@12.1.0
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { parseBuffer } from 'music-metadata'

const text = (value) => Buffer.from(value, 'latin1')
const words = (...values) => {
  const buffer = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => buffer.writeUInt32BE(value, index * 4))
  return buffer
}
const atom = (type, ...parts) => {
  const content = Buffer.concat(parts)
  return Buffer.concat([words(8 + content.length), text(type), content])
}
const handler = (kind, type) => atom('hdlr', words(0), text(kind + type), words(0, 0, 0), Buffer.alloc(1))
const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
// 431 frames of 1,024 samples at 44.1 kHz: 10 seconds.
const frames = 431
const samples = atom(
  'stbl',
  atom('stsd', words(0, 1), atom('mp4a', words(0, 1, 0, 0, 0x10010, 0, 44_100 * 65_536))),
  atom('stts', words(0, 1, frames, 1_024)),
  atom('stsc', words(0, 1, 1, frames, 1)),
  atom('stsz', words(0, 8, frames)),
  atom('stco', words(0, 1, 28)),
)
const recording = (...dataHandler) => {
  const reference = atom('dinf', atom('dref', words(0, 1), atom('url ', words(1))))
  const information = atom('minf', atom('smhd', words(0, 0)), ...dataHandler, reference, samples)
  const header = atom('mdhd', words(0, 0, 0, 44_100, frames * 1_024, 0))
  const media = atom('mdia', header, handler('mhlr', 'soun'), information)
  const track = atom('trak', atom('tkhd', words(3, 0, 0, 1, 0, 10_008, 0, 0, 0, 0x1000000, ...matrix, 0, 0)), media)
  const movie = atom('mvhd', words(0, 0, 0, 1_000, 10_008, 0x10000, 0x1000000, 0, 0, ...matrix, 0, 0, 0, 0, 0, 0, 2))
  const type = atom('ftyp', text('qt  '), words(0x200), text('qt  '))
  return Buffer.concat([type, atom('mdat', Buffer.alloc(frames * 8)), atom('moov', movie, track)])
}
for (const [name, file, seen] of [
  ['with the data handler', recording(handler('dhlr', 'url ')), undefined],
  ['without the data handler', recording(), 10],
]) {
  const { format } = await parseBuffer(file, undefined, { duration: true })
  const track = Math.round(format.trackInfo[0].duration)
  console.log(`${name}: ${format.container}, duration ${format.duration}, track ${track} s`)
  strictEqual(format.duration && Math.round(format.duration), seen)
  strictEqual(track, 10)
}
JS
node check.mjs
echo 'unchanged: QuickTime files have no duration'
