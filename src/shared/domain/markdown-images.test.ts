import { expect, test } from 'vitest'
import { blockIdsIn, setBlocksIn } from './block-marks.ts'
import { imagesIn, linksIn } from './markdown-images.ts'

test.each([
  ['![A chart](/media/a.png)', 'A chart', '/media/a.png'],
  ['![A chart]( </media/a.png> "Last week")', 'A chart', '/media/a.png'],
  ['![](https://x.test/a.png "t")', '', 'https://x.test/a.png'],
])('The picture %s is read with its words and its address', (markdown, alt, address) => {
  expect(imagesIn(`Before ${markdown} after`)).toEqual([{ alt, address }])
})

test('Links and pictures are told apart', () => {
  expect(linksIn('[a](https://a.test) ![b](/b.png) [c]()')).toEqual([
    { written: '[a](https://a.test)', isPicture: false, words: 'a', address: 'https://a.test' },
    { written: '![b](/b.png)', isPicture: true, words: 'b', address: '/b.png' },
    { written: '[c]()', isPicture: false, words: 'c', address: '' },
  ])
})

test('A block that is named is set in, one that is not there or has no name leaves nothing', () => {
  const text = 'a {{block:tip}} b {{ block: }} c {{block: gone }}'
  expect(blockIdsIn(text)).toEqual(['tip', '', 'gone'])
  expect(setBlocksIn(text, new Map([['tip', 'T']]))).toBe('a T b  c ')
})

test.each(['[a](', '![a](', '![', '[a](x ', '{{block:', ' '])(
  'Sixty thousand characters of %j are read in time',
  (unit) => {
    const text = `{{block:[a](${unit.repeat(60_000 / unit.length)}`
    const begun = performance.now()
    imagesIn(text)
    linksIn(text)
    blockIdsIn(text)
    expect(performance.now() - begun).toBeLessThan(5_000)
  },
)
